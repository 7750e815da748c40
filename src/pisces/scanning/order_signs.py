"""Signs of bad faith in an order to an agent: it is to be hidden, explained away or done unasked.

Each sign alone is usual in honest texts. With an act that does harm in the same passage it is not.
"""

from __future__ import annotations

import re

from pisces.scanning.words import words


def _sign(pattern: str) -> re.Pattern[str]:
    """A text breaks its lines anywhere."""
    return re.compile(re.sub(r"(?<!<!not)(?<!<!never)(?<!<!n't)(?<!<!n’t) ", r"\\s{1,4}", pattern), re.I)


_WHO = (
    r"(?:(?:the |your |any |every |other )?(?:user|human|person|people|developer|reviewer|maintainer|team|owner"
    r"|colleague"
    r"|operator|customer|client|author|anyone|anybody|someone|somebody|they|them|he|she)s?)"
)
_NOT = (
    r"(?:do not|don['’]?t|never|must not|should not|shall not|need not|needn['’]t|no need to|no reason to"
    r"|not necessary to|not have to)"
)
_PLACES = (
    r"(?:summar\w{1,4}|reports?|answers?|responses?|repl(?:y|ies)|drafts?|outputs?|messages?|chat|conversation"
    r"|previews?|logs?|diffs?"
    r"|commit messages?|change ?logs?|notes?|explanations?|descriptions?|comments?|transcripts?|history)"
)
HIDE = _sign(
    rf"\b{_NOT} (?:ever |even |also )?(?:tell|inform|notify|alert|reveal|disclose|mention|report|show|display"
    rf"|announce|surface|list|discuss"
    rf"|document|explain|bring (?:it|this|that|them) up|bring up|point (?:it|this|that) out|talk about|comment on"
    rf"|draw attention|refer to"
    rf"|(?:bother|trouble|worry|burden|distract|disturb|confuse|alarm|scare) {_WHO})\b"
    rf"|\b(?:without|avoid) (?:telling|informing|notifying|alerting|mentioning|commenting|remarking|noting|reporting"
    rf"|announcing"
    rf"|disclosing|revealing|drawing attention|explaining|a word)\b"
    rf"|\b(?:is|are|must|should|need|may|shall|can|will|does|do)(?: not|n['’]t| never) (?:to )?(?:be )?"
    rf"(?:shown|mentioned|disclosed|revealed|reported|displayed|announced|surfaced|logged|listed|discussed|visible"
    rf"|appear|be part of|told)\b"
    rf"|\b{_WHO} (?:must|should|need|may|can|does|do|will|is|are)(?: not|n['’]t|not| never) (?:\w{{1,8}} ){{0,2}}"
    rf"(?:know|learn|see|notice|hear|be (?:told|informed|aware|notified|shown)|find out|aware|told|shown)\b"
    rf"|\b(?:leave|keep|omit|strip|drop)\b[^.]{{0,50}}\b(?:out of|from) (?:your |the |any "
    rf"|all )?(?:\w{{1,12}} ){{0,2}}{_PLACES}"
    rf"|\b(?:leave|leaves|leaving) no (?:trace|mention|note|hint)"
    rf"|(?<!not )(?<!never )(?<!n't )(?<!n’t )\b(?:secretly|silently|quietly|covertly|stealthily|invisibly"
    rf"|discreetly) (?:run|execute|send|read|upload"
    rf"|call|post|fetch|copy|add|delete|install|download|collect|forward|append|include|insert|push|write|submit"
    rf"|transfer)\b"
    rf"|\b(?:say|mention|tell)\w{{0,3}} nothing\b|\b(?:stay|keep|remain|be) (?:silent|quiet) (?:about|on)\b"
    rf"|\b(?:keep|hide|conceal)s? (?:this|it|that|these|them|the \w{{1,12}}) (?:\w{{1,12}} )?(?:from|secret|hidden"
    rf"|confidential|private|to yourself|between)\b"
    rf"|\b(?:nobody|no one|no{_WHO}) (?:will|would|should|can|must|needs to) (?:ever )?(?:notice|know|see|learn)\b"
    rf"|\bas if nothing (?:had )?happened|\bas (?:usual|before|normal) without\b|\bnever speak of\b|\bconceal (?:this"
    rf"|that|it|the)\b"
    rf"|\bimplementation detail\b|\bnot worth (?:mentioning|reporting|telling)\b",
)
# If somebody asks, say that it is a check for updates.
LIE = _sign(
    rf"\b(?:if|when|should|whenever) (?:{_WHO}|asked|questioned|challenged)\b[^.]{{0,70}}\b(?:say|answer|reply|state"
    rf"|explain|respond)(?: that| with)? (?:it['’ ]?i?s |[\"“']|that it)"
    rf"|\b(?:if|when|should|whenever) (?:{_WHO}|asked|questioned|challenged)\b[^.]{{0,70}}\b(?:claim|call it|deny"
    rf"|blame|pretend)\b"
    rf"|\b(?:asks?|wonders?|notices?|questions)\b[^.]{{0,50}}\b(?:claim|say that it|say it|call it|deny|blame)\b"
    rf"|\b(?:describe|label|present|disguise|name|title|call|explain|word|phrase)\b[^.]{{0,40}}\b(?:as|like) (?:a|an"
    rf"|the|routine|maintenance|cleanup|normal)\b"
    rf"|\b{_WHO} (?:is|are|gets?) (?:only |just )?(?:shown|told) (?:that |the |only )"
    rf"|\banswer (?:all |any )?questions\b|\bpretend\b|\bclaim (?:that|to)\b|\bdeny (?:that|it|any)|\bcover stor"
    rf"|\b(?:say|tell (?:them|the user|him|her)|claim) that (?:it|this|the \w{{1,12}}) (?:is|was|takes|has|failed"
    rf"|needs)\b",
)
UNASKED = _sign(
    rf"\b(?:without|no need for|skip(?:ping)?(?: the| any| all)?|never (?:stop|wait|pause|ask"
    rf"|prompt)(?: \w{{1,12}}){{0,2}} for|not (?:stop|wait|pause|ask|prompt)(?: \w{{1,12}}){{0,2}} for)"
    rf" (?:asking|(?:any |further |explicit |prior |user |human |a |the )?(?:confirmations?|permissions?|approvals?"
    rf"|consent|prompts?|questions?|review))\b"
    rf"|\b(?:confirmations?|permissions?|approvals?|consent) (?:is|are|was) (?:not |never )(?:needed|required"
    rf"|necessary)|\bno (?:confirmation|permission|approval|consent) (?:is )?(?:needed|required|necessary)\b"
    rf"|\b{_WHO} (?:has|have) (?:already |implicitly )?(?:agreed|consented|approved|authori[sz]ed|accepted|allowed"
    rf"|opted)\b"
    rf"|\b(?:treat|consider|count|take|regard)\b[^.]{{0,60}}\bas (?:already |pre-?)?(?:yes|approved|authori[sz]ed"
    rf"|confirmed|consented|answered|granted|agreed)\b"
    rf"|\bpre-?(?:approved|authori[sz]ed)\b|\b(?:do|done) (?:this|it|so) (?:\w{{1,12}} )?(?:on your own|by yourself"
    rf"|automatically)\b|\bunprompted\b|\bof your own accord\b"
    rf"|\b(?:even|also) (?:if|when)\b[^.]{{0,50}}\b(?:not|asked|objects?|refus\w{{1,4}}|says? no|declin\w{{1,4}}"
    rf"|forbid\w{{0,5}})\b"
    rf"|\b(?:assume|imply|implies)\b[^.]{{0,20}}\b(?:consent|approval|permission|yes)\b|\bno questions\b"
    rf"|\bwhichever (?:skill|tool)\b",
)
# Somebody speaks to the agent, and not to the reader of the page.
ADDRESSED = re.compile(
    r"\b(?:note|message|hint|instructions?|reminder|attention|notice|important|memo|rule|hey|dear)s?[ ,:]{1,3}(?:to"
    r"|for)?(?: all| any| the| every)? ?"
    r"(?:AI|LLM|language models?|(?:coding |automated |autonomous )?(?:agents?|assistants?)|claude|gemini|copilot"
    r"|codex|cursor|chatgpt|bots?)\b"
    r"|\bif you are (?:an? )?(?:AI|LLM|large language|language model|assistant|(?:coding |automated )?agent|bot"
    r"|claude|gemini|copilot)"
    r"|(?:^|[.(:;!#/*-] ?)(?:(?:AI|coding|automated) )?(?:AI|LLM|agents?|assistants?|language models?"
    r"|claude(?: code)?|gemini|copilot|codex)(?: \w{1,12}){0,5}?\s?:\s"
    r"|\b(?:AI|LLM|language model|automated|coding|autonomous)[ -](?:assistants?|agents?|tools?|contributors?"
    r"|reviewers?|models?)\b[^.:]{0,60}(?::|\b(?:must|should|need|have to|are required|shall)\b)"
    r"|\b(?:agents?|assistants?|models?|AI) (?:must|should|shall|will|need to|have to|has to|are to|is to)\b",
    re.I,
)
_SILENT = (
    "tell mention inform notify alert reveal disclose report show display announce surface list discuss document"
    " explain bother bring point talk comment refer draw ever even trouble worry burden distract disturb confuse alarm"
    " scare also"
).split()
_SAYING = (
    "telling informing notifying alerting mentioning commenting remarking noting reporting announcing disclosing"
    " revealing drawing explaining"
).split()
_HIDING = words(
    *(f"{no} {verb}" for no in ("not", "never", "'t", "’t", "dont") for verb in _SILENT),
    *(f"{without} {saying}" for without in ("without", "avoid") for saying in _SAYING),
    *(f"{never} be" for never in ("not", "n't", "n’t", "never")),
    *(
        f"{verb} {what}"
        for verb in ("keep", "hide", "conceal", "leave")
        for what in "this it that these them the".split()
    ),
    *(
        "no need to, need not, needn't, no reason to, not necessary to, not have to, 't have to, 't need to, "
        "not need to, without a word, not to be, not appear, not told, not shown, not visible, not know, not "
        "see, not notice, not learn, not hear, not find out, not aware, n't know, n't see, n't notice, never "
        "know, never see, never notice, omit, no trace, secretly, silently, quietly, covertly, stealthily, "
        "invisibly, discreetly, silent about, quiet about, silent on, out of your, out of the, out of any, "
        "say nothing, mention nothing, tell nothing, saying nothing, leave no, nobody, no one, speak of, "
        "implementation detail, not worth, as if nothing, leaves no, leaving no,"
    ).split(", "),
)
_LYING = words(
    *(
        "is shown, is told, are shown, are told, only shown, only told, just told, gets told, asked, "
        "questioned, challenged, call it, claim, deny, blame, pretend, disguise, label it, label the, cover "
        "story, user asks, reviewer asks, they ask, anyone asks, someone asks, somebody asks, wonders, "
        "notices, say that, say it, claim that, them that, the user that, answer questions, answer all "
        "questions, answer any questions, describe it, describe the, describe this, answer with, as routine, "
        "as maintenance, as cleanup,"
    ).split(", ")
)
_UNASKING = words(
    *(
        "without asking, approval, approvals, confirmation, confirmations, permission, permissions, consent, "
        "without prompts, without questions, has agreed, already agreed, have agreed, consented, as approved, "
        "already approved, as authorized, as authorised, pre-approved, preapproved, pre-authorized, has "
        "approved, on your own, by yourself, unprompted, own accord, even if, even when, also when, no "
        "questions, as yes, as answered, as confirmed, as granted, whichever skill, whichever tool, it "
        "automatically, this automatically, so automatically, has accepted, has opted,"
    ).split(", ")
)
# Each sign with words of it, near which a text is searched, and how far before and behind them.
SIGNS = ((HIDE, _HIDING, 60, 60), (LIE, _LYING, 60, 110), (UNASKED, _UNASKING, 60, 70))
