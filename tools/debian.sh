# Sourced by test.sh: gets what the tests need from Debian's packages.

is_root() { [ "$(id -u)" = 0 ]; }

# Installs packages for good. Only root can.
install_packages() {
  is_root && command -v apt-get >/dev/null || return
  say "installing the Debian packages $* ..."
  [ -n "${lists_are_fresh-}" ] || apt-get -qq update || return
  lists_are_fresh=yes
  DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends "$@" >/dev/null
}

# Unpacks packages, and what they depend on, into .tools/debian. Anyone can.
unpack_packages() {
  command -v apt-get >/dev/null || return
  say "unpacking the Debian packages $* into .tools/debian ..."
  download=$PWD/.tools/download
  mkdir -p "$download/lists/partial" "$download/archives/partial" .tools/debian
  private_apt update || return
  names=$(private_apt -s install --no-install-recommends "$@" | awk '$1 == "Inst" { print $2 }')
  (cd "$download" && private_apt download $names) || return
  for archive in "$download"/*.deb; do dpkg -x "$archive" .tools/debian || return; done
  rm -rf "$download"
}

# The machine's own lists may be missing, and only root may fetch them.
private_apt() {
  apt-get -qq -o "Dir::State::lists=$download/lists" -o "Dir::Cache=$download" "$@"
}
