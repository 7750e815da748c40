"""Lines in which the words become code by a way that is easy to overlook: options that stand together or are cut short,
scripts that come by stdin, files that the line writes and another command runs, wrappers, other shells.
"""

from __future__ import annotations

OVERLOOKED = r"""
x={{args}}; OPTIND=$x; getopts a y
x={{args}}; RANDOM=$x; echo
export SECONDS={{args}}
git commit --allow-empty -qm {{args}}; git log -1 --format=%s | sh
git commit --allow-empty -qm {{args}} && sh -c "$(git log -1 --format=%B)"
git commit --allow-empty -qm {{args}}; eval "$(git log -1 --format=%s)"
git commit --allow-empty -qm {{args}}; git log -1 --format=%s > m.sh; sh m.sh
git commit --allow-empty -qm {{args}}; git log -1 --format=%s | xargs -I% sh -c %
git commit --allow-empty -qm {{args}}; x=$(git log -1 --format=%s); $x
git commit --allow-empty -qm {{args}}; git log -1 --format=%s | while read -r l; do $l; done
git tag -a t1 -m {{args}}; git tag -l -n1 --format='%(contents)' t1 | bash
git stash push -m {{args}}; git stash list | python3
echo {{args}} > y; git add y; git show :y | sh
mkdir {{args}}; ls | sh
touch -- {{args}}; ls | sh
touch -- {{args}}; for f in *; do $f; done
touch -- {{args}}; for f in *; do eval $f; done
touch -- {{args}}; for f in *; do sh -c "echo $f"; done
touch -- {{args}}; ls | while read -r f; do sh -c "wc $f"; done
touch -- {{args}}; *
touch -- {{args}}; $(ls)
touch -- {{args}}; git add .; git ls-files | sh
touch -- {{args}}; tar cf - . | tar tf - | sh
touch -- {{args}}; echo * | sh
touch -- {{args}}; printf '%s\n' * | sh
ln -s {{args}} lnk; readlink lnk | sh
ln -s -- {{args}} lnk; $(readlink lnk)
mkdir -p -- {{args}}; cd -- {{args}}; pwd | sh
exec 3<<< {{args}}; read -ru3 x; eval $x
make show NAME='$(shell {{args}})'
make 'X!={{args}}' show
pip install {{args}}; pip list | bash
touch -- {{args}}; ls | xargs -I% sh -c %
echo {{args}} >> .env.local; cat .env.local | sh
npm version {{args}}; eval "$(npm pkg get version)"
git grep -nO{{args}} alpha
git grep --open-files={{args}} alpha
tar cf x.tar --checkpoint=1 --checkpoint-act={{args}} notes.txt
tar cf x.tar --use-comp={{args}} notes.txt
tar cf x.tar notes.txt && tar xf x.tar --to-comm={{args}}
scp -o ProxyCommand={{args}} notes.txt host:x
scp -oProxyCommand={{args}} notes.txt host:x
split --filter={{args}} notes.txt
sort --compress-prog={{args}} notes.txt
xargs -0I% sh -c '%' <<< {{args}}
echo {{args}} | xargs -0I% sh -c '%'
su root --session-command={{args}}
dotenv -- {{args}}
tini -- {{args}}
aws-vault exec prof -- {{args}}
aws-vault exec prof -- ssh host {{args}}
doppler run -- awk {{args}} notes.txt
docker run --entrypoint={{args}} img
kubectl debug pod --image=y -- {{args}}
oc exec pod -- {{args}}
lxc exec c -- {{args}}
adb shell "ls {{args}}"
vagrant ssh -- {{args}}
gcloud compute ssh vm -- {{args}}
multipass exec vm -- {{args}}
guix shell -- {{args}}
go build -toolexec={{args}} ./...
go vet -vettool={{args}} ./...
gcc -specs={{args}} x.c
gcc -fplugin={{args}} x.c
python3 -m code <<< {{args}}
python3 -m asyncio <<< {{args}}
python3 -X importtime - <<< {{args}}
zsh -c 'ls $~1' zsh {{args}}
zsh -c 'typeset -F x=$1' zsh {{args}}
zsh -c 'setopt globsubst; ls $1' zsh {{args}}
zsh -c 'functions[f]=$1; f' zsh {{args}}
zsh -c 'case $1 in ($~2) echo;; esac' zsh x {{args}}
echo {{args}} | echo $(( $(cat) ))
echo {{args}} | bash <(cat)
echo {{args}} | source <(cat)
echo {{args}} | [[ "$(cat)" -eq 1 ]]
readarray -tC eval -c1 a <<< {{args}}
echo {{args}} > a.sh; sh *.sh
echo {{args}} > a.sh; for f in a*.sh; do sh "$f"; done
echo {{args}} > a.sh; find . -name a.sh -exec sh {} \;
echo {{args}} > a.sh; sh "$PWD/a.sh"
echo {{args}} > a.sh; sh $PWD/a.sh
echo {{args}} > a.sh; chmod 755 a.sh; "$PWD"/a.sh
echo {{args}} > "$PWD/a.sh"; sh a.sh
mkdir d; cd d; echo {{args}} > a.sh; cd ..; sh d/a.sh
f=a.sh; echo {{args}} > $f; sh a.sh
f=a.sh; echo {{args}} > a.sh; sh $f
echo {{args}} > a.py; python3 -c 'import a'
echo {{args}} > a.py; python3 -m a
echo {{args}} > a.js; node a
echo {{args}} > a.js; node ./a
echo {{args}} > a.js; node -r ./a.js -e 1
echo {{args}} > a.js; node -e 'require("./a")'
echo {{args}} > a.pl; perl -e 'do "./a.pl"'
echo {{args}} > a.sql; sqlite3 :memory: ".read a.sql"
echo {{args}} > a.vim; vim -es -S a.vim +q
echo {{args}} > a.vim; vim -es +'source a.vim' +q
echo {{args}} > .gdbinit; gdb -batch
echo {{args}} > a; bash -c '. ./a'
echo {{args}} > a; bash -c 'source a'
echo {{args}} > a; BASH_ENV=a bash -c true
echo {{args}} > a; BASH_ENV=./a sh script.sh; BASH_ENV=a bash script.sh
echo {{args}} > a; ENV=a sh -i -c true
echo {{args}} > a; GIT_CONFIG_GLOBAL=a git zz
printf '%s\n' {{args}} > a; gzip a; zcat a.gz | sh
printf '%s\n' {{args}} > a; dd if=a of=b; sh b
printf '%s\n' {{args}} > a; curl -s file://$PWD/a | sh
export X={{args}}; env | grep X | cut -d= -f2- | sh
export X={{args}}; eval "$(printenv X)"
export X={{args}}; printenv X | sh
X={{args}}; set | grep ^X= > a; . ./a
wait -p "a[{{args}}]" -n
source <(echo 'eval "$1"') {{args}}
. /dev/stdin {{args}} <<< 'eval "$1"'
X={{args}} bash -s <<< 'eval "$X"'
export X={{args}}; echo 'eval "$X"' | sh
export X={{args}}; bash <(echo '$X')
export X={{args}}; source <(echo 'eval "$X"')
X={{args}}; . /dev/stdin <<< 'eval "$X"'
X={{args}}; source <(echo '$X')
X={{args}}; printf '%s' 'eval $X' > a.sh; . ./a.sh
export X={{args}}; printf '%s' 'eval "$X"' > a.sh; sh a.sh
vim -es x <<< {{args}}
vim -es -u NONE notes.txt <<< {{args}}
echo {{args}} | vim -es -u NONE notes.txt
echo {{args}} | vim - -es
gpg --agent-program={{args}} -K
export X={{args}}; envsubst <<< 'echo $X' | bash
trap 'eval "$BASH_COMMAND"' DEBUG; : {{args}}
trap '$BASH_COMMAND' EXIT; : {{args}}
trap 'eval "$_"' EXIT; : {{args}}
fd -tfx sh -c {{args}}
pandoc --filter={{args}} notes.txt
pandoc --lua-filter={{args}} notes.txt
wget --use-askpass={{args}} http://127.0.0.1:9
curl -sK- <<< {{args}}
curl -sSLK - <<< {{args}}
curl --config - <<< {{args}}
find . -maxdepth 0 -name x -o {{args}}
git clone -c {{args}} . out
git rebase -ix {{args}} HEAD
tar -cIf {{args}} x.tar notes.txt
tar cIf {{args}} x.tar notes.txt
tar -cvI {{args}} -f x.tar notes.txt
rsync -avze {{args}} notes.txt host:x
sshpass -p x ssh host {{args}}
split --filter "{{args}}" notes.txt
sudo -nu root {{args}}
env -iu X {{args}}
env -vS "sh -c" {{args}}
setarch x86_64 -R {{args}}
setpriv --nnp {{args}}
setpriv --reuid 0 {{args}}
runuser -u root -- {{args}}
su --session-command {{args}} root
start-stop-daemon -S -x /bin/sh -- -c {{args}}
start-stop-daemon -Sx /bin/sh -- -c {{args}}
strace -fo /dev/null {{args}}
script --comm {{args}} /dev/null
perf stat {{args}}
cross-env X=1 {{args}}
dumb-init {{args}}
direnv exec . {{args}}
with-env sed -n {{args}} notes.txt
with-env ssh host {{args}}
chpst -u x {{args}}
ip netns exec x {{args}}
docker run --name x alpine {{args}}
docker run -v a:b -w /app img {{args}}
docker exec -u root c {{args}}
docker exec -it -e X=1 -w /app c {{args}}
docker-compose exec svc {{args}}
docker-compose run --rm svc {{args}}
podman exec -w / c {{args}}
nerdctl exec c {{args}}
oc rsh pod {{args}}
adb shell {{args}}
heroku run {{args}}
fly ssh console -C {{args}}
limactl shell vm {{args}}
wsl {{args}}
uv run --with x {{args}}
go test -exec {{args}} ./...
go build -toolexec {{args}} ./...
gcc -wrapper {{args}} x.c
cmake -E time {{args}}
mawk -W exec {{args}}
sed --file=<(echo {{args}}) notes.txt
perl -e '$_="x"; s/x/$ARGV[0]/ee' {{args}}
perl -e '$_=shift; s/(.*)/$1/ee' {{args}}
perl -e 'print "$ARGV[0]\n"; my $f = $ARGV[0]; &$f()' {{args}}
python3 -c 'import sys,asyncio; asyncio.run(asyncio.create_subprocess_shell(sys.argv[1]))' {{args}}
python3 -c 'import sys; from asyncio import run, create_subprocess_shell as s; run(s(sys.argv[1]))' {{args}}
python3 -c 'import sys, timeit; print(timeit.timeit(sys.argv[1], number=1))' {{args}}
python3 -c 'import sys, code; code.InteractiveInterpreter().runsource(sys.argv[1])' {{args}}
python3 -c 'import sys, doctest; doctest.run_docstring_examples(type("x", (), {"__doc__": sys.argv[1]}), {})' {{args}}
python3 -c 'import sys, runpy; runpy.run_path(sys.argv[1])' <(echo {{args}})
node -e 'import(process.argv[1])' {{args}}
node -e 'import("data:text/javascript," + process.argv[1])' {{args}}
node -e 'globalThis["ev" + "al"](process.argv[1])' {{args}}
zsh -c 'setopt promptsubst; print -P "$1"' zsh {{args}}
X={{args}} bash -c 'wait -n -p "$X"'
wait -n -p {{args}}
echo 'eval "$1"' | bash -s {{args}}
echo 'eval "$1"' > a.sh; bash a.sh {{args}}
bash <(echo 'eval "$1"') {{args}}
vim -esc {{args}} notes.txt
gpg --photo-viewer {{args}} --list-keys
zip -TT {{args}} -T x.zip notes.txt
zip -q -T -TT {{args}} x.zip notes.txt
command_not_found_handle() { eval "$2"; }; nosuchprogram {{args}}
command_not_found_handle() { shift; "$@"; }; nosuch {{args}}
pandoc --filter {{args}} notes.txt
pandoc -F {{args}} notes.txt
zsh -c 'integer x=$1' zsh {{args}}
zsh -c 'float x=$1' zsh {{args}}
zsh -c 'zmodload zsh/zpty; zpty x $1' zsh {{args}}
zsh -c 'sched +1 $1' zsh {{args}}
""".strip().splitlines()
OVERLOOKED += [
    "X={{args}} python3 <<'EOF'\nimport os\nos.system(os.environ['X'])\nEOF",
    "X={{args}} sh <<'EOF'\neval \"$X\"\nEOF",
    "export X={{args}}; bash <<'EOF'\n$X\nEOF",
    "bash -s {{args}} <<'EOF'\neval \"$1\"\nEOF",
    "bash -s -- {{args}} <<'EOF'\neval \"$1\"\nEOF",
    "bash -s -- {{args}} <<'EOF'\necho $(( $1 ))\nEOF",
    "sh -s {{args}} <<'EOF'\n$1\nEOF",
    "bash /dev/stdin {{args}} <<'EOF'\neval \"$1\"\nEOF",
    "python3 - {{args}} <<'EOF'\nimport sys,os\nos.system(sys.argv[1])\nEOF",
    "python3 - {{args}} <<'EOF'\nimport sys\nexec(sys.argv[1])\nEOF",
    "perl - {{args}} <<'EOF'\nsystem $ARGV[0];\nEOF",
    "node - {{args}} <<'EOF'\nrequire('child_process').execSync(process.argv[2])\nEOF",
    "awk -f - {{args}} <<'EOF'\nBEGIN { system(ARGV[1]) }\nEOF",
    "mkdir d; echo {{args}} > d/a.sh; cd d && sh a.sh",
]

# Of these, words of plain characters may stand there; none of them is run.
CALCULATED = r"""
zsh -c '[ "$1" -gt 3 ] && echo big' zsh {{args}}
zsh -c 'printf "%d" "$1"' zsh {{args}}
zsh -c 'exit $1' zsh {{args}}
zsh -c 'shift $1' zsh {{args}}
zsh -c 'print -P "$1"' zsh {{args}}
X={{args}} zsh -c '[ "$X" -eq 1 ]'
ksh -c '[ "$1" -eq 1 ]' ksh {{args}}
echo {{args}} | xargs -0I{} bash -c 'echo {}'
echo {{args}} | xargs -rI{} sh -c 'ls {}'
sshpass -p x ssh host "ls {{args}}"
dotenv -e .env -- make X={{args}}
op run -- find . {{args}}
""".strip().splitlines()
