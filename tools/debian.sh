# Sourced by test.sh: installs Debian packages that the tests require.

is_root() { [ "$(id -u)" = 0 ]; }

# Installs packages system-wide. Requires root.
install_packages() {
  is_root && command -v apt-get >/dev/null || return
  say "installing the Debian packages $* ..."
  [ -n "${lists_are_fresh-}" ] || apt-get -qq update || return
  lists_are_fresh=yes
  DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends "$@" >/dev/null
}

# Unpacks packages and their dependencies into .tools/debian. Works without root.
unpack_packages() {
  update_private_lists || return
  unpack_alone $(private_apt -s install --no-install-recommends "$@" | awk '$1 == "Inst" { print $2 }')
}

# Unpacks packages whose programs need nothing else.
unpack_alone() {
  update_private_lists || return
  say "unpacking the Debian packages $* into .tools/debian ..."
  (cd "$download" && private_apt download "$@") || return
  for archive in "$download"/*.deb; do dpkg -x "$archive" .tools/debian || return; done
  rm -rf "$download"
}

update_private_lists() {
  command -v apt-get >/dev/null || return
  download=$PWD/.tools/download
  mkdir -p "$download/lists/partial" "$download/archives/partial" .tools/debian
  private_apt update
}

# The system's package lists may be missing, and updating them requires root.
private_apt() {
  apt-get -qq -o "Dir::State::lists=$download/lists" -o "Dir::Cache=$download" "$@"
}
