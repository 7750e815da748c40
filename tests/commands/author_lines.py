"""Command lines as authors write them, by what must become of the user's words, which stand for `{{args}}`."""

from __future__ import annotations

# Any words are fine: they arrive as one argument, or as data.
ANY_WORDS = r"""
git add -- {{args}}; git status --short | head -20
git add -- {{args}}; for f in *; do echo "$f"; done | sort
curl -fsSL http://127.0.0.1:9/x -o i; n=$(git rev-parse HEAD); git log -- {{args}} | head -n 5; echo "$n"
echo {{args}}
echo "{{args}}"
echo '{{args}}'
echo "Topic: {{args}}."
printf '%s\n' {{args}}
printf '<%s>' a {{args}} b
cat {{args}} 2>/dev/null || echo "no such file"
grep -r {{args}} .
grep -rn "{{args}}" src || true
grep -F -- {{args}} notes.txt | head -5
grep -c {{args}} notes.txt; true
grep {{args}} notes.txt | sed s/b/B/
grep {{args}} notes.txt | sort | uniq -c | sort -rn
ls -la {{args}} 2>&1 | head
ls -- {{args}}
wc -l -- {{args}}
head -n 20 {{args}} | nl
test -f {{args}} && cat {{args}}
[ -n "{{args}}" ] && echo given || echo none
[ -n "{{args}}" ] || exit 0
if [ -z "{{args}}" ]; then echo "usage"; else echo "{{args}}"; fi
if [ -d {{args}} ]; then ls {{args}}; fi
[[ "{{args}}" == *.md ]] && echo markdown
[[ -n "{{args}}" ]] && echo yes
[[ "{{args}}" =~ ^[0-9]+$ ]] && echo number
case "{{args}}" in prod|staging) echo ok;; *) echo unknown;; esac
x={{args}}; echo "$x"
x="{{args}}"; echo $x
NAME={{args}} printenv NAME
export TOPIC="{{args}}"; echo "$TOPIC"
topic="{{args}}"; grep -- "$topic" notes.txt | wc -l
for f in {{args}}; do wc -l "$f"; done
while read -r line; do echo "$line"; done <<< "{{args}}"
echo {{args}} | tr a-z A-Z
echo "{{args}}" | tr ' ' '-' | cut -c1-20
printf '%s' "{{args}}" | wc -c
printf '%s' {{args}} | sha256sum | cut -d' ' -f1
cat <<< "{{args}}"
cat <<< {{args}} | rev
echo "$(echo {{args}} | tr a b)"
dir=$(dirname -- {{args}}); echo "$dir"
basename {{args}} .md
realpath -- {{args}}
stat {{args}} 2>/dev/null
git log --oneline -5 -- {{args}}
git log --oneline --grep={{args}}
git log --oneline --author="{{args}}"
git diff HEAD -- {{args}}
git show -s -- {{args}}
git status --short -- {{args}}
git grep -n -e {{args}} -- '*.txt'
git blame -- {{args}}
git log -S"{{args}}" --oneline
git -C . log --oneline -- "{{args}}"
git commit --dry-run -m "{{args}}"
git ls-files -- {{args}} | head
find . -name {{args}}
find . -iname "*{{args}}*" -type f | head -20
find . -type f -name "{{args}}" -exec wc -l {} +
find . -path "./{{args}}" -print
sh -c 'echo "$1"' -- {{args}}
sh -c 'echo "$@"' sh {{args}}
bash -c 'grep -- "$1" notes.txt' _ {{args}}
bash -c 'for f in "$@"; do echo "$f"; done' -- {{args}}
bash -euo pipefail -c 'printf "%s\n" "$1" | wc -c' sh {{args}}
sh -c 'x=$1; echo "$x"' sh "{{args}}"
awk -v x={{args}} 'BEGIN { print x }'
awk -v x="{{args}}" '$0 ~ x { print NR }' notes.txt
awk -v n={{args}} 'index($0, n)' notes.txt
awk 'END { print NR }' notes.txt; echo {{args}}
jq -n --arg x {{args}} '{name: $x}'
jq -n --arg q "{{args}}" '$q | length'
python3 -c 'import sys; print(sys.argv[1])' "{{args}}"
python3 script.py -- {{args}}
sort notes.txt | comm -12 - notes.txt; echo "{{args}}"
date; pwd; echo {{args}}
(cd . && echo {{args}})
{ echo start; echo {{args}}; echo end; } | cat
echo {{args}} > out.txt && cat out.txt
echo "- {{args}}" >> todo.txt; tail -1 todo.txt
tee -a log.txt <<< "{{args}}" > /dev/null
echo one && echo {{args}} || echo two
! grep -q -- {{args}} notes.txt
time echo {{args}}
timeout 5 echo {{args}}
nice -n 10 echo {{args}}
env LC_ALL=C echo {{args}}
command -v {{args}} >/dev/null && echo here
command echo {{args}}
nohup echo {{args}} 2>/dev/null
f() { echo "$1"; }; f {{args}}
say() { printf '%s\n' "$@" | sort; }; say {{args}}
a=({{args}}); echo "${#a[@]}"
set -- {{args}}x; echo "$#"
read -r first rest <<< "{{args}}"; echo "$first"
IFS= read -r line < <(echo "{{args}}"); echo "$line"
diff <(echo "{{args}}") <(echo b) || true
comm -3 <(printf '%s\n' {{args}}) notes.txt 2>/dev/null
cat notes.txt | grep -i "{{args}}" | head -3
echo "${HOME:+home} {{args}}"
echo "a $((1 + 2)) {{args}}"
n=3; echo $((n + 1)) {{args}}
test "{{args}}" = yes && echo yes
test {{args}} != no
expr length "{{args}}"
seq 1 3 | while read -r i; do echo "$i {{args}}"; done
echo {{args}} # the topic
echo {{args}}; # done
cat notes.txt |& grep "{{args}}"
curl --version | head -1; echo {{args}}
mkdir -p "out/{{args}}" && ls out
cp -- notes.txt "copy-{{args}}" 2>/dev/null; ls
touch -- "made-{{args}}" 2>/dev/null; true
echo {{args}} | xargs git log
echo {{args}} | xargs sort
git log $(echo {{args}})
x={{args}}; git log $x
x={{args}}; git log "$x"
x={{args}}; sort "$x"
sh -c 'sort "$1"' sh {{args}}
sh -c 'sort $1' sh {{args}}
sh -c 'git log $@' sh {{args}}
f() { sort "$@"; }; f {{args}}
for x in {{args}}; do sort "$x"; done
sort --output={{args}} notes.txt
git log --format={{args}}
git log --output={{args}}
git diff --no-index {{args}} notes.txt
git log -n {{args}}
tar czf out.tgz -- {{args}}
tar xf {{args}}
awk '{print $1}' {{args}}
awk '{print $1}' -- {{args}}
awk -vx={{args}} 'BEGIN{print x}'
awk '{print x}' x={{args}} notes.txt
awk '{print x}' {{args}}=1 notes.txt
awk 'BEGIN{print ARGV[1]}' {{args}}
echo {{args}} | python3 -c 'import sys,json; print(json.dumps(sys.stdin.read()))'
kubectl exec pod -- ls {{args}}
date +{{args}}
date "+%Y {{args}}"
printf "{{args}}\n"
printf '%b' "{{args}}"
echo -e "{{args}}"
cd {{args}} && ls
cd "{{args}}" && make
pushd {{args}}
touch {{args}}.txt
ps aux | grep {{args}}
[ {{args}} -gt 3 ] && echo big
[ "{{args}}" -gt 3 ] && echo big
[[ {{args}} > 3 ]]
if [[ "{{args}}" =~ ^(a|b)$ ]]; then echo; fi
if [[ -f "{{args}}" && -r "{{args}}" ]]; then cat "{{args}}"; fi
[[ {{args}} ]] && echo yes
test {{args}} -eq 1
head -n {{args}} notes.txt
head -{{args}} notes.txt
tail -n +{{args}} notes.txt
sed -i 's/a/{{args}}/g' notes.txt
sed -i.bak "/{{args}}/d" notes.txt
sed -e '/^#/d' -e 's/x/{{args}}/' notes.txt
cut -d{{args}} -f1 notes.txt
cut -f {{args}} notes.txt
tr {{args}} b < notes.txt
echo "{{args}}" | base64
echo $(< {{args}})
cat < {{args}}
while read -r x; do echo "$x"; done < {{args}}
mapfile -t l < {{args}}; echo "${l[@]}"
$HOME/bin/x {{args}}
"$CLAUDE_PLUGIN_ROOT"/scripts/x.sh {{args}}
${X}/scripts/x.sh "{{args}}"
echo ~{{args}}
echo *{{args}}*
ls *{{args}}*
ls {{args}}/*.md
echo "${HOME}/{{args}}"
echo ${#x} {{args}}
trap 'echo "$x"' EXIT; x={{args}}
(echo {{args}}; echo b) | sort | head
{ echo a; } > {{args}}
echo a > "{{args}}.txt"
echo a >> {{args}}
echo a 2> {{args}}
echo a &> {{args}}
echo a >| {{args}}
cat {{args}} > /dev/null 2>&1 &
wait; echo {{args}}
case $(echo {{args}}) in a) echo;; esac
case x in {{args}}) echo;; esac
case x in "{{args}}") echo;; esac
until false; do echo {{args}}; break; done
function x() { echo "$1"; }; x {{args}}
ls() { command ls "$@"; }; ls {{args}}
unset -f x; x {{args}}
type {{args}}
which {{args}}
umask {{args}}
exit {{args}}
return {{args}}
shift {{args}}
cp {{args}} x.sh; sh x.sh
ln -s {{args}} x; ./x
bash -O extglob -c 'echo "$1"' _ {{args}}
bash -c 'echo "$1"' -- "{{args}}" extra
bash -c 'set -e; cd "$1"; ls' -- {{args}}
sh -c 'echo "$0"' {{args}}
sh -c 'echo "${1:-none}"' sh {{args}}
sh -c 'printf "%s\n" "$@" | sort' sh {{args}}
sh -c 'case "$1" in prod) echo ok;; esac' sh {{args}}
sh -c 'for a do echo "$a"; done' sh {{args}}
sh -c 'while [ $# -gt 0 ]; do echo "$1"; shift; done' sh {{args}}
sh -c 'x=$(echo "$1" | tr a b); echo "$x"' sh {{args}}
sh -c 'exec grep -- "$1" notes.txt' sh {{args}}
sh -c 'git log --oneline -- "$@"' -- {{args}}
sh -c 'echo $1' -- {{args}}
sh -c 'ls $1' -- {{args}}
sh -c 'echo "$1" > out.txt' -- {{args}}
sh -c 'test "$1" -gt 3' -- {{args}}
sh -c '[ "$1" = x ] && echo y' -- {{args}}
sh -c "sh -c 'echo \"\$1\"' -- \"\$1\"" -- {{args}}
find . -name '*.md' -exec grep -l -- {{args}} {} \;
find . -name '*.md' -exec sh -c 'grep -l -- "$1" "$2"' _ {{args}} {} \;
find . -name '*.md' -print0 | xargs -0 grep -l -- {{args}}
find . -newer {{args}}
find . -maxdepth {{args}}
rg -n -- {{args}}
jq --arg x "{{args}}" '.[$x]' package.json
cat notes.txt | jq -R --arg a {{args}} '[., $a]'
grep -A{{args}} x notes.txt
git log -S{{args}}
git log -n{{args}}
git log "--grep={{args}}"
""".strip().splitlines()

# Words of plain characters must work; others may be refused, but never run.
PLAIN_WORDS = r"""
bash -c 'echo {{args}}'
bash -c "echo {{args}}"
sh -c "grep -rn '{{args}}' . | head"
sh -ec "echo {{args}}"
eval echo {{args}}
eval "echo {{args}}"
echo `echo {{args}}`
echo ${X:-{{args}}}
case {{args}} in a) echo a;; *) echo b;; esac
make X={{args}}
make -s show NAME="{{args}}"
make {{args}}
X={{args}} make
python3 -c "print('{{args}}')"
python3 -c "import sys; print('{{args}}'.upper())"
node -e "console.log('{{args}}')"
node -p "'{{args}}'.length"
perl -e 'print "{{args}}\n"'
perl -ne 'print if /{{args}}/' notes.txt
awk '/{{args}}/ { print }' notes.txt
awk "/{{args}}/" notes.txt
sed -n '/{{args}}/p' notes.txt
sed 's/alpha/{{args}}/' notes.txt
sed "s|alpha|{{args}}|g" notes.txt
sed -e 's#{{args}}#x#' notes.txt
sqlite3 :memory: "select '{{args}}'"
jq -n '"{{args}}"'
echo "select '{{args}}';" | sqlite3 :memory:
git diff {{args}}
git log {{args}}
git log --oneline {{args}} | head -3
git checkout {{args}}
git show {{args}}
find {{args}} -name '*.txt'
ls $(echo {{args}})
x={{args}}; ls $x
ssh host uptime {{args}}
ssh {{args}} uptime
sudo cat {{args}}
npx -y tsx run.ts {{args}}
npm test -- {{args}}
npm run build -- {{args}}
fluxmirror agent {{args}}
nomos vet {{args}}
docker logs {{args}}
kubectl get pods {{args}}
gh pr view {{args}}
gh issue create --title "{{args}}" --body ""
cargo test {{args}}
go test ./... -run {{args}}
pytest -q {{args}}
python3 -m json.tool {{args}}
python3 {{args}}
python3 script.py {{args}}
node script.js {{args}}
bash script.sh {{args}}
./script.sh {{args}}
./bin/{{args}}.sh
printf '%s\n' {{args}} | xargs -n1 echo
echo {{args}} | xargs ls
echo {{args}} | xargs -I{} grep -- {} notes.txt
find . -name '*.txt' | xargs grep -l {{args}}
sort {{args}}
rm -f {{args}}
cp {{args}} copy.txt
curl -s http://127.0.0.1:9/{{args}}
tar -tf {{args}}
date -d {{args}}
rg {{args}} .
tree {{args}}
watch -n 1 echo {{args}}
ls -l ./{{args}}
timeout {{args}} echo hi
sed "1i {{args}}" notes.txt
sed '$a {{args}}' notes.txt
dotnet test --filter {{args}}
eslint --config {{args}} .
git log --oneline {{args}}..HEAD
git show HEAD:{{args}}
git checkout -b "feature/{{args}}"
gh pr list --search "{{args}}"
npx jest -t "{{args}}"
mvn test -Dtest={{args}}
python3 scripts/x.py --name "{{args}}" --verbose
ARGS="{{args}}"; [ -z "$ARGS" ] && ARGS=main; git log "$ARGS" --oneline | head
echo {{args}} | xargs -n1 -I{} bash -c "echo {}"
echo {{args}} | perl
echo {{args}} | node
echo {{args}} | node -
echo {{args}} | xargs -I X make X
echo {{args}} | xargs find .
awk -F{{args}} '{print $1}' notes.txt
awk -F {{args}} '{print}' notes.txt
awk 'BEGIN{system("ls " ARGV[1])}' {{args}}
echo {{args}} | node -e 'eval(require("fs").readFileSync(0,"utf8"))'
python3 -c 'import subprocess,sys; subprocess.run(["git","show",sys.argv[1]])' {{args}}
perl -pe 's/a/{{args}}/' notes.txt
perl -i -pe "s/a/{{args}}/e" notes.txt
make -C {{args}}
make -f {{args}}
make deploy ENV={{args}} VERSION=1
make -n X="{{args}}"
bash {{args}}
bash scripts/{{args}}.sh
node scripts/{{args}}.js
./scripts/{{args}}
echo ${x/a/{{args}}}
x=${1:-{{args}}}; echo "$x"
: ${X:={{args}}}; echo "$X"
sh -c 'sh -c "echo $1"' -- {{args}}
jq '.{{args}}' package.json
jq -r ".scripts[\"{{args}}\"]" package.json
""".strip().splitlines()
PLAIN_WORDS += ["cat <<END\n{{args}}\nEND", "cat <<'END'\n{{args}}\nEND"]

# Each reads its arguments as code.
ATTACKED = r"""
{{args}}
$({{args}})
bash -c {{args}}
bash -c "{{args}}"
sh -c '{{args}}'
sh -c -- "{{args}}"
sh -xc "{{args}}"
dash -c "{{args}}"
bash --norc -c "{{args}}"
bash -o pipefail -c "{{args}}"
eval {{args}}
eval "{{args}}"
\eval {{args}}
"eval" {{args}}
e'v'al {{args}}
command eval {{args}}
builtin eval "{{args}}"
exec {{args}}
exec bash -c "{{args}}"
env {{args}}
env -S {{args}}
env -S "bash -c" {{args}}
env X=1 sh -c "{{args}}"
nohup sh -c "{{args}}"
nice -n 5 sh -c "{{args}}"
timeout 5 sh -c "{{args}}"
timeout 5 {{args}}
time bash -c "{{args}}"
sudo sh -c "{{args}}"
sudo {{args}}
setsid bash -c "{{args}}"
stdbuf -oL sh -c "{{args}}"
flock lock -c "{{args}}"
flock lock sh -c "{{args}}"
flock -w 2 lock -c {{args}}
npx -c "{{args}}"
npx -y -c {{args}}
su -c "{{args}}"
su user -c {{args}}
ssh host {{args}}
ssh host "cd x && {{args}}"
watch {{args}}
script -qc "{{args}}" /dev/null
xargs -I{} sh -c '{}' <<< "{{args}}"
echo {{args}} | sh
echo "{{args}}" | bash
echo {{args}} |& bash
printf '%s' "{{args}}" | bash -s
echo {{args}} | sudo bash
echo {{args}} | env bash
echo {{args}} | tee log.txt | sh
echo {{args}} | cat | cat | sh -e
cat <<< "{{args}}" | sh
bash <<< "{{args}}"
sh -s <<< {{args}}
bash /dev/stdin <<< "{{args}}"
source /dev/stdin <<< "{{args}}"
. /dev/stdin <<< {{args}}
source <(echo "{{args}}")
bash <(echo "{{args}}")
bash --rcfile <(echo "{{args}}") -i -c true
echo {{args}} > >(bash)
echo {{args}} | tee >(sh) > /dev/null
echo {{args}} 2>&1 > >(sh)
{ echo {{args}}; } | bash
(echo {{args}}) | sh
if true; then echo "{{args}}"; fi | sh
for x in {{args}}; do eval "$x"; done
for x in {{args}}; do sh -c "$x"; done
x={{args}}; bash -c "$x"
x={{args}}; eval $x
x={{args}}; eval "$x"
x={{args}}; $x
x="{{args}}"; y="$x"; sh -c "$y"
x={{args}} sh -c 'eval "$x"'
export x={{args}}; bash -c 'eval "$x"'
export x={{args}}; bash -c '$x'
x={{args}}; echo "$x" | sh
x={{args}}; bash <<< "$x"
x=$(echo {{args}}); eval "$x"
x=`echo {{args}}`; bash -c "$x"
read -r x <<< "{{args}}"; eval "$x"
echo {{args}} | while read -r x; do eval "$x"; done
echo {{args}} | { read -r x; bash -c "$x"; }
mapfile -t a <<< "{{args}}"; eval "${a[0]}"
printf -v x %s {{args}}; eval "$x"
set -- {{args}}; eval "$1"
set -- {{args}}; sh -c "$*"
f() { eval "$1"; }; f {{args}}
f() { "$@"; }; f {{args}}
f() { sh; }; echo {{args}} | f
function f { bash -c "$*"; }; f {{args}}
sh -c 'eval "$1"' -- {{args}}
sh -c '$1' -- {{args}}
sh -c "$1" -- {{args}}; sh -c 'sh -c "$1"' -- {{args}}
bash -c 'bash -c "$0"' {{args}}
bash -c '"$@"' _ {{args}}
bash -c 'echo $(($1))' _ {{args}}
trap {{args}} EXIT
trap "{{args}}" EXIT
x={{args}}; trap 'eval "$x"' EXIT
echo $(( {{args}} ))
echo $[ {{args}} ]
(( {{args}} ))
x={{args}}; echo $((x))
x={{args}}; (( x > 1 )) && echo big
x={{args}}; y=x; echo $((y))
let x={{args}}
let "x = {{args}}"
declare -i x={{args}}
declare -i x; x={{args}}
typeset -i n="{{args}}"; echo $n
local x={{args}}; declare {{args}}
declare {{args}}
export {{args}}
readonly {{args}}
unset {{args}}
unset "{{args}}"
read {{args}} <<< x
read -r "{{args}}" <<< x
printf -v {{args}} %s x
printf {{args}}
test -v {{args}}
[ -v {{args}} ]
[ {{args}} ]
[[ -v {{args}} ]]
[[ {{args}} -eq 0 ]]
[[ 1 -lt "{{args}}" ]]
x={{args}}; [[ $x -eq 1 ]]
x={{args}}; [[ x -gt 0 ]]
a[{{args}}]=1
a=([{{args}}]=1)
a=(1 2); echo "${a[{{args}}]}"
x={{args}}; a=(1 2); echo "${a[x]}" "${a[$x]}"
s=hello; echo "${s:{{args}}}"
s=hello; o={{args}}; echo "${s:o:1}"
x={{args}}; echo "${!x}"
x={{args}}; echo "${x@P}"
getopts a {{args}}
wait {{args}}
mapfile -C {{args}} -c 1 a < notes.txt
compgen -W {{args}}
alias x={{args}}
PATH={{args}} ls
BASH_ENV={{args}} bash -c true
IFS={{args}}
PS4={{args}}; set -x; true
GIT_PAGER={{args}} git log
echo ok; echo {{args}} >/dev/null; eval "$_"
echo {{args}} > run.sh; sh run.sh
echo {{args}} > run.sh; chmod +x run.sh; ./run.sh
echo {{args}} | tee run.sh; bash ./run.sh
echo {{args}} > run.sh; . ./run.sh
f=$(mktemp); echo {{args}} > "$f"; bash "$f"
printf '%s' {{args}} > run.py; python3 run.py
cat <<END | sh
python3 -c {{args}}
python3 -c "{{args}}"
python3 -uc "{{args}}"
echo "{{args}}" | python3
python3 - <<< "{{args}}"
python3 -c 'import os,sys; os.system(sys.argv[1])' {{args}}
x={{args}} python3 -c 'import os; os.system(os.environ["x"])'
perl -e {{args}}
perl -e "{{args}}"
perl -pe "{{args}}" notes.txt
perl -ne 'print' {{args}}
perl -e 'system($ARGV[0])' {{args}}
perl -e 'print' -e {{args}}
node -e {{args}}
node -e "{{args}}"
node --eval="{{args}}"
node -p {{args}}
awk {{args}} notes.txt
awk "BEGIN { {{args}} }"
awk -v x={{args}} 'BEGIN { system(x) }'
awk -v x={{args}} 'BEGIN { print "x" | x }'
awk -v x={{args}} 'BEGIN { x | getline y }'
echo {{args}} | awk '{ system($0) }'
awk -v {{args}} 'BEGIN { system(x) }'
sed {{args}} notes.txt
sed -n {{args}} notes.txt
sed -e "{{args}}" notes.txt
sed "s/a/{{args}}" notes.txt
sed 1{{args}} notes.txt
echo {{args}} | sed 's/^//e'
echo {{args}} | sed e
find . {{args}}
find {{args}}
find . -exec {{args}} \;
find . -maxdepth 0 -exec sh -c "{{args}}" \;
find . -maxdepth 0 -exec sh -c 'eval "$1"' _ {{args}} \;
xargs -a notes.txt {{args}}
echo {{args}} | xargs
echo {{args}} | xargs sh -c
echo {{args}} | xargs -I% sh -c %
echo {{args}} | xargs -I% sh -c 'echo %'
echo {{args}} | xargs -0 bash -c
make --eval={{args}}
make SHELL={{args}}
make -f - <<< "{{args}}"
export X={{args}}; make
git {{args}}
git -c {{args}} status
git -c core.pager={{args}} -p log
git -c alias.x={{args}} x
git config alias.x {{args}} && git x
git bisect run {{args}}
git submodule foreach {{args}}
git rebase --exec {{args}} HEAD~1
git rebase -x "{{args}}" HEAD
git diff {{args}}
git log {{args}}
git show --stat {{args}}
git grep x {{args}}
git archive HEAD {{args}}
sort {{args}}
sort notes.txt {{args}}
tar {{args}}
tar -cf x.tar {{args}}
tar -cf x.tar notes.txt --checkpoint=1 --checkpoint-action={{args}}
tar -cf x.tar -I {{args}} notes.txt
dd {{args}}
curl {{args}}
sqlite3 :memory: {{args}}
sqlite3 :memory: "{{args}}"
echo {{args}} | sqlite3 :memory:
sqlite3 {{args}}
docker run --rm image sh -c "{{args}}"
docker exec -i c sh -c 'echo {{args}}; {{args}}'
kubectl exec pod -- bash -c "{{args}}"
unknown-wrapper sh -c "{{args}}"
unknown-wrapper --exec {{args}}
$SHELL -c "{{args}}"
"${SHELL:-sh}" -c {{args}}
{bash,-c,"{{args}}"}
sh {-c,{{args}}}
bash -c "$(cat <<< "{{args}}")"
bash -c "$(echo {{args}})"
eval "$(echo {{args}})"
eval `echo {{args}}`
$(echo {{args}})
"$(echo {{args}})"
echo "a" | bash -c "cat; {{args}}"
ls | while read -r f; do {{args}}; done
case x in x) {{args}};; esac
case x in x) eval {{args}};; esac
if {{args}}; then echo; fi
while {{args}}; do break; done
! {{args}}
true && {{args}}
true; {{args}}
true | {{args}}
{ {{args}}; }
( {{args}} )
echo hi & {{args}}
echo `{{args}}`
echo "`{{args}}`"
echo "$({{args}})"
echo \{{args}}
echo "\{{args}}"
echo $'{{args}}'
echo $"{{args}}"
echo $'a\'{{args}}'
echo ${x:-$({{args}})}
echo "${x:-`{{args}}`}"
echo ok # {{args}}
echo "never closed {{args}}
echo 'never closed {{args}}
coproc {{args}}
select x in {{args}}; do break; done
shopt -s expand_aliases
hyperfine "{{args}}"
at now <<< "{{args}}"
parallel ::: {{args}}
parallel sh -c {} ::: "{{args}}"
vim -c "{{args}}" x
man -P {{args}} ls
ed notes.txt <<< "{{args}}"
m4 <<< "{{args}}"
dc -e "{{args}}"
dc <<< "{{args}}"
echo >&{{args}}
busybox sh -c "{{args}}"
fish -c "{{args}}"
zsh -c "{{args}}"
ksh -c {{args}}
b=eval; $b {{args}}
b="bash -c"; $b {{args}}
a=ev; b=al; $a$b {{args}}
x=eval; "$x" "{{args}}"
cmd=(bash -c); "${cmd[@]}" {{args}}
run() { "$1" -c "$2"; }; run bash {{args}}
echo {{args}} | xargs --replace=% sh -c '%'
echo {{args}} | xargs -i% sh -c %
python -m timeit {{args}}
gawk --source {{args}}
npm exec -c {{args}}
pnpm exec {{args}}
sh -c "$(printf '%s' {{args}})"
echo {{args}} | while read -r l; do $l; done
echo {{args}} | read x; eval $x
IFS=, read -ra parts <<< "{{args}}"; "${parts[@]}"
set {{args}}; eval "$@"
cmd={{args}}; ${cmd}
cmd="ls {{args}}"; $cmd
cmd="ls {{args}}"; eval "$cmd"
cmds=(ls {{args}}); "${cmds[@]}"
a=({{args}}); "${a[@]}"
exec 3<<< "{{args}}"; bash <&3
exec 3<<< "{{args}}"; source /dev/fd/3
bash 0<<< "{{args}}"
echo {{args}} > /tmp/x; source /tmp/x
echo "{{args}}" | tee /dev/stderr | bash -x
echo {{args}} | ( bash )
echo {{args}} | { cat; } | { sh; }
echo {{args}} | if true; then sh; fi
f() { cat | sh; }; f <<< "{{args}}"
echo {{args}} | command bash
echo {{args}} | exec bash
echo {{args}} | time sh
echo {{args}} | nohup sh
echo {{args}} | timeout 5 sh
echo {{args}} | /bin/sh
echo {{args}} | $SHELL
echo {{args}} | "$SHELL"
echo {{args}} | ${SHELL:-bash}
echo {{args}} | awk -f - notes.txt
echo {{args}} | awk -f /dev/stdin notes.txt
echo {{args}} | sed -f - notes.txt
sed -f <(echo {{args}}) notes.txt
awk -f <(echo {{args}}) notes.txt
python3 <(echo {{args}})
echo {{args}} | xargs env
sort -o{{args}} notes.txt
git log -{{args}}
awk 'BEGIN{system(ARGV[1])}' {{args}}
X={{args}} awk 'BEGIN{system(ENVIRON["X"])}'
X={{args}} perl -e 'system $ENV{X}'
X={{args}} node -e 'require("child_process").execSync(process.env.X)'
X={{args}} node -e 'eval(process.env.X)'
echo {{args}} | python3 -c 'import sys; exec(sys.stdin.read())'
echo {{args}} | python3 -c 'import sys,os; os.system(sys.stdin.read())'
python3 -c 'import sys; exec(sys.argv[1])' {{args}}
python3 -c 'import subprocess,sys; subprocess.run(sys.argv[1], shell=True)' {{args}}
make MAKEFLAGS={{args}}
kubectl exec pod -- {{args}}
[[ {{args}} -gt 3 ]] && echo big
for ((i=0;i<{{args}};i++)); do echo $i; done
sed -n "{{args}}p" notes.txt
sed -n '1,{{args}}p' notes.txt
sed "{{args}}d" notes.txt
sed 's/{{args}}/&&/w out' notes.txt
echo "{{args}}" | base64 -d | sh
source {{args}}
. ./{{args}}.sh
. "{{args}}"
echo ${{{args}}}
: "${X:={{args}}}"; eval "$X"
y=$X; X={{args}}; eval "$y"
printf -v y '%s' "{{args}}"; $y
declare x="{{args}}"; eval "$x"
declare -n r=x; x={{args}}; eval "$r"
declare -x x={{args}}; sh -c '$x'
readonly x={{args}}; bash -c "$x"
export PATH="{{args}}:$PATH"; ls
PROMPT_COMMAND={{args}}
GIT_SSH_COMMAND={{args}} git fetch
MAKEFLAGS={{args}} make
NODE_OPTIONS={{args}} node -e 1
env PAGER={{args}} git log
env -u X BASH_ENV={{args}} bash -c true
echo() { eval "$@"; }; echo {{args}}
hash -p {{args}} ls; ls
exec {fd}>&1; echo {{args}} >&$fd
cat > run.sh <<< "{{args}}"; bash run.sh
echo {{args}} | dd of=run.sh; sh run.sh
echo {{args}} | install /dev/stdin run.sh; ./run.sh
echo {{args}} > Makefile; make
bash +x -c "{{args}}"
bash -lc "{{args}}"
sh -c 'exec "$@"' sh {{args}}
exec 3> >(sh); echo {{args}} >&3
exec > >(sh); echo {{args}}
exec > run.sh; echo {{args}}; sh run.sh
echo {{args}} | bash < /dev/stdin
echo {{args}} > run.sh; bash < run.sh
echo {{args}} > run.sh; cat run.sh | sh
echo {{args}} > run.sh; eval "$(cat run.sh)"
echo {{args}} > run.sh; x=$(<run.sh); eval "$x"
echo {{args}} > "$f"; cat "$f" | sh
bash 3<<< "{{args}}" /dev/fd/3
bash 3<<< "{{args}}" <&3
sort -n{{args}} notes.txt
sort --{{args}} notes.txt
x={{args}}; sort -$x notes.txt
x={{args}}; sort "-n$x" notes.txt
sh -c 'sort -$1 notes.txt' sh {{args}}
git log --{{args}}
""".strip().splitlines()
ATTACKED = [
    *(line for line in ATTACKED if line not in ("cat <<END | sh", "shopt -s expand_aliases")),
    "cat <<END | sh\n{{args}}\nEND",
    "bash <<END\n{{args}}\nEND",
    "sh -s <<'END'\n{{args}}\nEND",
    "python3 - <<END\n{{args}}\nEND",
    "echo {{args}} |\nsh",
    "echo {{args}} | # to the shell\n  bash",
    "echo {{args}} |&\n\nbash",
    'x={{args}}\nbash -c "$x"',
    "x={{args}}\n\neval $x",
    "echo {{args}} \\\n | sh",
    "ev\\\nal {{args}}",
    "shopt -s expand_aliases\nalias e=eval\ne {{args}}",
    "cat > run.sh <<END\n{{args}}\nEND\nsh run.sh",
    "make -f /dev/stdin <<END\nall:\n\t{{args}}\nEND",
]

# What is typed to make a file that must never appear: `canary`.
HOSTILE = [
    "touch canary",
    "$(touch canary)",
    "`touch canary`",
    "; touch canary",
    "x; touch canary #",
    "x && touch canary",
    "x | touch canary",
    "x\ntouch canary\n",
    "x' ; touch canary; '",
    'x" ; touch canary; "',
    "'; touch canary; '",
    '"; touch canary; "',
    "') ; touch canary; ('",
    '"); touch canary; ("',
    "\\'; touch canary; \\'",
    '\\"; touch canary; \\"',
    "x}; touch canary; {",
    "x)); touch canary; ((",
    "END\ntouch canary\nEND",
    "> canary",
    "a[$(touch canary)]",
    "a[`touch canary`]",
    "a[$(touch canary)]=1",
    "x=a[$(touch canary)]",
    "-v a[$(touch canary)]",
    "-v a[$(touch canary)] x",
    "PATH=a[$(touch canary)]",
    "${x:-$(touch canary)}",
    "<(touch canary)",
    "-c 'touch canary'",
    "-c touch${IFS}canary",
    "-ctouch canary",
    "-e 'import os; os.system(\"touch canary\")'",
    "import os; os.system('touch canary')",
    "'); import os; os.system('touch canary'); ('",
    "__import__('os').system('touch canary')",
    "system('touch canary')",
    "'; system('touch canary'); '",
    "require('child_process').execSync('touch canary')",
    "'); require('child_process').execSync('touch canary'); ('",
    'BEGIN { system("touch canary") }',
    'x/ { system("touch canary") } /x',
    'system("touch canary")',
    "x=touch canary",
    "1e touch canary",
    "e touch canary",
    "etouch canary",
    "x/e;1etouch canary",
    "w canary",
    "x/w canary",
    "x|w canary\n",
    "x/;w canary\n;s/x/",
    "--output=canary",
    "--output canary",
    "-o canary",
    "-ocanary",
    "notes.txt -o canary",
    "of=canary",
    "--expression=1w canary",
    "-n 1wcanary notes.txt",
    "--eval=$(shell touch canary)",
    "$(shell touch canary)",
    "X=$(shell touch canary)",
    "all: ; touch canary",
    "-exec touch canary ;",
    ". -exec touch canary ;",
    "-fprint canary",
    ". -fprint canary",
    "exec=touch canary",
    "--checkpoint=1 --checkpoint-action=exec=touch${IFS}canary",
    "-cf canary notes.txt",
    "touch canary|",
    "| touch canary",
    "!touch canary",
    ".shell touch canary",
    "'; \n.shell touch canary\n",
    ".output canary",
    ":memory: '.shell touch canary'",
    "-cmd '.shell touch canary'",
    "alias.x=!touch canary x",
    "-c alias.x='!touch canary' x",
    "core.pager=touch canary",
    "-p -c core.pager='touch canary' log",
    "--open-files-in-pager=touch canary;",
    "-Otouch canary;",
    "run touch canary",
    "bisect run touch canary",
    "ProxyCommand=touch canary",
    "-oProxyCommand='touch canary' x",
    "%(touch canary)",
    "x@P $(touch canary)",
    "syscmd(touch canary)",
    "-w http://x -o canary file:///etc/hostname",
    "file:///etc/hostname -o canary",
    "touch\tcanary",
    "{touch,canary}",
    "touch canary;:",
    "\\$(touch canary)",
    "\\\\$(touch canary)",
    "\\`touch canary\\`",
]
ORDINARY = "v1.2"
