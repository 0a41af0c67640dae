# Sourced after node.sh: builds browser app and server if their sources are newer than the build.

build_web() { build 'the browser app' web/vite.config.ts web/dist web; }

build_server() { build 'the server' tools/vite.server.ts dist src tools/vite.server.ts; }

# build NAME CONFIG OUTPUT SOURCE...
build() {
  name=$1
  config=$2
  output=$3
  shift 3
  is_built "$@" || build_locked "$@"
}

is_built() {
  [ -e "$output/.built" ] &&
    [ -z "$(find "$@" package-lock.json -path 'web/dist*' -prune -o -newer "$output/.built" -print -quit)" ]
}

# Of commands that run at once one builds, and the others wait for it. A running server keeps its files until new ones
# are complete.
build_locked() (
  lock=.tools/build.lock
  mkdir -p .tools
  # A link is created together with its content, the process that holds the lock.
  until ln -s $$ "$lock" 2>/dev/null; do
    holder=$(readlink "$lock") && ! kill -0 "$holder" 2>/dev/null && rm -f "$lock"
    sleep 1
  done
  trap 'rm -f "$lock"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  ! is_built "$@" || exit 0
  say "building $name ..."
  new=$output.new
  old=$output.old
  # Vitest, which packs the program too, sets another NODE_ENV: React would be the development build.
  NODE_ENV=production node_modules/.bin/vite build --config "$config" --outDir "${new#web/}" >&2 || exit
  rm -rf "$old"
  # Two renames, because no command that is everywhere exchanges two folders.
  [ ! -e "$output" ] || mv "$output" "$old"
  mv "$new" "$output"
  rm -rf "$old"
  # Last, for the folder that contains the output has just changed.
  : >"$output/.built"
)
