# Starts a hook with the Node that is there. Written by pisces.
# What is meant for another program of Node must not switch off a guard. The hook itself gets it back.
export PISCES_NODE_OPTIONS="$NODE_OPTIONS"
unset NODE_OPTIONS
export PATH="$PATH:/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin"
node "$(dirname -- "$0")/run.mjs" "$1" && exit 0
[ "$2" = guard ] || exit 1
echo 'A guard of this plugin cannot run: it needs `node` in PATH and its files unchanged' >&2
exit 2
