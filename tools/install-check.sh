# Follows docs/operating.md on a fresh Debian, from the package to a service behind each proxy, its backup, metrics, upgrade and
# rollback. Run it as root before a release; it needs debootstrap and systemd-container, and 1 GB in FOLDER:
#
#   debootstrap --variant=minbase --include=systemd-sysv,dbus,curl,ca-certificates,caddy,nginx-light,openssl bookworm FOLDER
#   sh tools/install-check.sh FOLDER
set -eu
machine=$(realpath "$1")
. "$(dirname "$0")/node.sh"

# block HEADING NUMBER: a code block of the page.
block() {
  awk -v heading="$1" -v wanted="$2" '
    !inside && /^#/ { found = $0 == heading }
    !found { next }
    /^```/ { inside = !inside; number += inside; next }
    inside && number == wanted' docs/operating.md
}

# The machine has Node for all users, and no network: npm installs from its cache.
say 'packing ...'
npm pack --pack-destination "$machine/root" >/dev/null
package=$(cd "$machine/root" && echo dagsverk-*.tgz)
npm install --prefix "$machine/root/fill-cache" --cache "$machine/root/.npm" --ignore-scripts --no-audit --no-fund \
  "$machine/root/$package" >/dev/null
cp "$(command -v node)" "$machine/usr/local/bin/node"
mkdir -p "$machine/usr/local/lib/node_modules"
cp -R "$(dirname "$(realpath "$(command -v npm)")")/.." "$machine/usr/local/lib/node_modules/npm"
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$machine/usr/local/bin/npm"
printf 'offline=true\nregistry=%s\n' "$(npm config get registry)" >"$machine/root/.npmrc"
echo '127.0.0.1 localhost tall.example.no' >"$machine/etc/hosts"

# The proxy signs its certificate by itself.
block '### Caddy' 1 | sed 's/^{$/{\n\tlocal_certs\n\tskip_install_trust/' >"$machine/etc/caddy/Caddyfile"
block '### nginx' 1 >"$machine/etc/nginx/conf.d/dagsverk.conf"
rm -f "$machine/etc/nginx/sites-enabled/default" "$machine/etc/systemd/system/multi-user.target.wants/nginx.service"
block '## As a service' 2 >"$machine/root/dagsverk.json"
{
  echo 'set -eux'
  block '## As a service' 1
  echo 'cp dagsverk.json /var/lib/dagsverk/'
  block '## As a service' 3
  cat <<'END'
systemctl restart caddy
certificate=/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt
until [ -e "$certificate" ]; do sleep 0.2; done
get() { curl --silent --show-error --fail-with-body --cacert "$certificate" "$@"; }

link=$(cat /var/lib/dagsverk/setup-link)
get "${link%%#*}" --json '{"token":"'"${link#*#}"'","company":"Fjord AS","companyPassword":"blue ice under the river",
  "email":"kari@fjord.example","password":"right horse battery pin","keyName":"till","scopes":"revenue:*"}'
get https://tall.example.no/ | grep --quiet '<script'
get https://tall.example.no/version
set_revenue() {
  get -u 'Fjord AS:blue ice under the river' https://tall.example.no/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato \
    --json '[{"Dato":"2030-01-02","AvdelingID":"20","Omsetning":'"$1"'}]'
}
has_revenue() {
  [ "$(get -u 'Fjord AS:blue ice under the river' 'https://tall.example.no/dev/Omsetning/Finn?$select=Omsetning')" = '[{"Omsetning":'"$1"'}]' ]
}
set_revenue 100
has_revenue 100
curl --silent --fail http://127.0.0.1:9464/metrics | grep '^dagsverk_http_request_duration_seconds_count.*Omsetning/Finn'

# No password in a log, that of a proxy without a server included.
send_wrong_password() {
  curl --silent --output /tmp/reply --cacert "$certificate" 'https://tall.example.no/dev/Omsetning/Finn?firma=Fjord+AS&passord=wrong-in-url'
}
search_logs() {
  send_wrong_password
  grep InvalidCredentials /tmp/reply
  systemctl stop dagsverk
  send_wrong_password
  systemctl start dagsverk
  if journalctl --unit caddy --unit nginx --unit dagsverk | grep wrong-in-url; then exit 1; fi
  if grep --recursive wrong-in-url /var/log/nginx; then exit 1; fi
}
search_logs
systemctl stop caddy
certificate=/etc/ssl/tall.example.no.pem
openssl req -x509 -newkey rsa:2048 -nodes -subj /CN=tall.example.no -addext subjectAltName=DNS:tall.example.no \
  -keyout /etc/ssl/tall.example.no.key -out "$certificate"
systemctl restart nginx
has_revenue 100
search_logs
grep Omsetning/Finn /var/log/nginx/dagsverk.log

systemctl list-timers | grep dagsverk-backup
systemctl start dagsverk-backup
dagsverk-service backup --verify /var/backups/dagsverk
if dagsverk company list; then exit 1; fi
dagsverk-service company list | grep Fjord

END
  block '## Upgrades' 1 | sed "s/dagsverk-NEW.tgz/$package/"
  cat <<'END'
set_revenue 200
has_revenue 200
END
  block '## Upgrades' 2 | sed "s/dagsverk-OLD.tgz/$package/"
  cat <<'END'
has_revenue 100
systemctl kill --signal=HUP --kill-whom=main dagsverk
dagsverk-service doctor
systemctl is-active dagsverk
END
} >"$machine/root/steps.sh"

cat >"$machine/etc/systemd/system/steps.service" <<'END'
[Unit]
Description=Steps of docs/operating.md
SuccessAction=exit
FailureAction=exit
[Service]
Type=oneshot
WorkingDirectory=/root
Environment=HOME=/root
ExecStart=/bin/sh steps.sh
StandardOutput=journal+console
StandardError=inherit
[Install]
WantedBy=multi-user.target
END
mkdir -p "$machine/etc/systemd/system/multi-user.target.wants"
ln -sf ../steps.service "$machine/etc/systemd/system/multi-user.target.wants/steps.service"

say 'starting the machine ...'
exec systemd-nspawn --quiet --register=no --keep-unit --private-network --directory="$machine" --boot
