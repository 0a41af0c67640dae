# Sourced by every script here: changes to the repository root, puts a suitable Node on PATH, and
# installs the dependencies.

unset CDPATH
cd "$(dirname "$0")/.."

say() { echo "dagsverk: $*" >&2; }

is_installed() { cmp -s "$1/package-lock.json" "$1/node_modules/.installed-lock.json"; }

# The stamp is written last, so that an interrupted installation is repeated.
install_locked() {
  is_installed "$1" && return
  say "installing ${2} ..."
  (cd "$1" && npm ci --include=dev --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null) &&
    cp "$1/package-lock.json" "$1/node_modules/.installed-lock.json"
}

node_is_new_enough() {
  node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 22 || (a == 22 && b >= 18) ? 0 : 1)' 2>/dev/null
}

# The package contains the binary: no install script has to run. It requires glibc.
pinned_node() {
  case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) echo linux-x64 ;;
    Linux-aarch64) echo linux-arm64 ;;
  esac
}

install_node() {
  platform=$(pinned_node)
  if [ -z "$platform" ] || ldd --version 2>&1 | grep -qi musl; then
    say "Node 22.18 or newer is needed, this is $(node -v): install one from https://nodejs.org/"
    exit 1
  fi
  mkdir -p .tools/node
  cp "tools/node/$platform/package.json" "tools/node/$platform/package-lock.json" .tools/node/
  install_locked .tools/node "Node for this folder alone (the installed one is $(node -v))"
  PATH="$PWD/.tools/node/node_modules/node-$platform/bin:$PATH"
}

node_is_new_enough || install_node
install_locked . 'dependencies'
