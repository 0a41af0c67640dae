# A typical shell client: curl, files from other systems, inconsistent quoting.
# Arguments: address, company, password. Prints a line for each record that should be stored.
set -eu
address=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
account=$(printf 'firma=%s&passord=%s' "$2" "$3" | sed 's/ /%20/g')

post() {
  path=$1
  shift
  curl -sS --fail-with-body -H 'Content-type: application/json' "$address$path?$account" "$@"
}

set_per_date=/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato

# The example call of the specification, twice: an interrupted job that runs again.
for _ in 1 2; do
  post $set_per_date -d '[{"Dato":"2024-05-01T00:00:00","AvdelingID":"20","Omsetning":12500.50}]' >/dev/null
done
echo '2024-05-01 20 12500.5'

TZ=Europe/Oslo
export TZ
today=$(date +%FT00:00:00%z)
post $set_per_date -d "[{\"Dato\":\"$today\",\"AvdelingID\":20,\"Omsetning\":\"1000\"}]" >/dev/null
echo "$(date -d "$today" +%F) 20 1000"

# A file with a byte order mark and Windows line endings, chunked, with Expect: 100-continue.
printf '\357\273\277[\r\n{"Dato":"2024-07-15","AvdelingID":"007","Omsetning":"-49.90"}\r\n]\r\n' >"$folder/saved.json"
post $set_per_date -H 'Transfer-Encoding: chunked' -H 'Expect: 100-continue' \
  --data-binary "@$folder/saved.json" >/dev/null
echo '2024-07-15 007 -49.9'

# Inconsistent letter case, and a double slash between base URL and path.
post //DEV//omsetning/lagreelleroppdateromsetningPRDATO/ \
  -d '[{"dato":"2024-07-16","AVDELINGID":"Ærø","omsetning":7}]' >/dev/null
echo '2024-07-16 Ærø 7'

# An upload from standard input, of unknown length.
echo '{"InntekstplanId":0,"Dato":"2024-09-02","AvdelingID":"30","Omsetning":100}' |
  post /dev/Omsetning/Lagre -X POST -T - >"$folder/inserted.json"
key=$(sed 's/.*"InntektsPlanId":\([0-9]*\).*/\1/' "$folder/inserted.json")
post /dev/Omsetning/Oppdater -d "{\"InntekstplanId\":\"$key\",\"Omsetning\":\"80.05\"}" >/dev/null
post /dev/Omsetning/LagreEllerOppdaterListe \
  -d "[{\"InntekstplanId\":$key,\"Omsetning\":81.05},{\"InntekstplanId\":null,\"Dato\":\"2024-09-02\",\"AvdelingID\":\"31\",\"Omsetning\":5}]" >/dev/null
echo '2024-09-02 30 81.05'
echo '2024-09-02 31 5'

for part in 0.1 '"0.2"' 3e-1; do
  post /dev/Omsetning/AggsertOmsetning -d "{\"Dato\":\"2024-09-02\",\"AvdelingID\":\"40\",\"Omsetning\":$part}" >/dev/null
done
echo '2024-09-02 40 0.6'

# XML as a legacy system exports it.
curl -sS --fail-with-body -H 'Content-type: text/xml' "$address$set_per_date?$account" --data-binary @- >/dev/null <<'XML'
<?xml version="1.0" encoding="utf-8"?>
<Liste xmlns="urn:kasse"><Rad><Omsetning>250.25</Omsetning><AvdelingID>50</AvdelingID><Dato>2024-09-03T00:00:00+02:00</Dato></Rad></Liste>
XML
echo '2024-09-03 50 250.25'

curl -sS --fail-with-body -G "$address/dev/omsetning/FINN?$account" \
  --data-urlencode "\$filter=Dato eq datetime('2024-07-16') and AvdelingID eq 'Ærø'" |
  grep -q '"Omsetning":7,'
