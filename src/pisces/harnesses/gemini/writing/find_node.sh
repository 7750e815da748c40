# bash reads this before the command of a hook. Written by pisces.
# Gemini CLI is a program of Node, but PATH need not lead to one: then its own interpreter runs the hook.
unset BASH_ENV
# What is meant for another program of Node must not switch off a guard. The hook itself gets it back.
export PISCES_NODE_OPTIONS="$NODE_OPTIONS"
unset NODE_OPTIONS
if ! type -P node >/dev/null; then
  pisces_interpreter() {
    local PATH="$PATH:/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin" own=
    if [ "$IS_BINARY" != true ]; then
      own=$(readlink "/proc/$PPID/exe" 2>/dev/null || ps -o comm= -p "$PPID" 2>/dev/null)
    fi
    case "${own##*/}" in
      node | node[0-9]* | nodejs | bun) [ -x "$own" ] && printf %s "$own" && return ;;
    esac
    [ -x "$npm_node_execpath" ] && printf %s "$npm_node_execpath" && return
    type -P node || type -P bun
  }
  PISCES_NODE=$(pisces_interpreter)
  node() {
    if [ -n "$PISCES_NODE" ]; then exec "$PISCES_NODE" "$@"; fi
    if [ "$PISCES_HOOK" = guard ]; then
      printf '%s\n' '{"decision": "deny", "reason": "A guard of this extension cannot run: there is no `node` in PATH"}'
    else
      printf '%s\n' '{"systemMessage": "A hook of this extension cannot run: there is no `node` in PATH"}'
    fi
    exit 0
  }
fi
