# Sourced by setup-tests.sh and test.sh: the programs that some tests need, and how to install them.

requirements='postgres curl python php mono chromium odata2ts ui5 cloudsdk vitepress systemd promtool root'

has_curl() { command -v curl >/dev/null; }
install_curl() { install_packages curl; }

has_python() { command -v python3 >/dev/null; }
install_python() { install_packages python3; }

has_php() { php -r 'exit(extension_loaded("curl") ? 0 : 1);' >/dev/null 2>&1; }
install_php() { install_packages php-cli php-curl; }

has_mono() {
  command -v mono >/dev/null && command -v mcs >/dev/null && [ -d /usr/lib/cli/Newtonsoft.Json-5.0 ]
}
install_mono() {
  install_packages mono-mcs mono-runtime libmono-system-net-http4.0-cil libnewtonsoft-json5.0-cil
}

has_headless_shell() { command -v chromium-headless-shell >/dev/null; }
has_chromium() { has_headless_shell || command -v chromium >/dev/null; }
install_chromium() { install_packages chromium; }

has_odata2ts() { is_installed tests/clients/odata2ts; }
install_odata2ts() { install_locked tests/clients/odata2ts 'a client with a TypeScript of its own'; }

has_ui5() { is_installed tests/clients/ui5; }
install_ui5() { install_locked tests/clients/ui5 'OpenUI5, whose OData model is a client'; }

has_cloudsdk() { is_installed tests/clients/cloud-sdk; }
install_cloudsdk() { install_locked tests/clients/cloud-sdk 'a client with a generator'; }

has_vitepress() { is_installed tools/docs; }
install_vitepress() { install_locked tools/docs 'VitePress'; }

# Alone for `systemd-analyze verify`, which needs no systemd that runs.
has_systemd() { command -v systemd-analyze >/dev/null; }
install_systemd() { install_packages systemd; }

# Checks rules for Prometheus, whose package starts a server where it is installed.
has_promtool() { command -v promtool >/dev/null || [ -x .tools/debian/usr/bin/promtool ]; }
install_promtool() { unpack_alone prometheus; }

# For tests of files that belong to another user.
has_root() { is_root; }
install_root() { return 1; }

# Sets `met` (separated by commas) and `unmet` (by blanks); installs what is missing where `$1` is yes.
check_requirements() {
  # It is Chromium without its windows, menus and profiles: the tests take a fifth less CPU.
  [ "$1" = no ] || has_headless_shell || install_packages chromium-headless-shell || :
  met=
  unmet=
  for name in $requirements; do
    if "has_$name" || { [ "$1" = yes ] && "install_$name" && "has_$name"; }; then
      met="$met${met:+,}$name"
    else
      unmet="$unmet $name"
    fi
  done
}
