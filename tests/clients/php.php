<?php
// A typical PHP client: date('c'), amounts as strings from a database, http_build_query.
// Arguments: address, company, password. Prints a line for each record that should be stored.

date_default_timezone_set('Europe/Oslo');
[, $address, $firma, $passord] = $argv;
$account = http_build_query(['firma' => $firma, 'passord' => $passord]);

function post(string $path, mixed $body, array $headers = []): array
{
    global $address, $account;
    $curl = curl_init("$address$path?$account");
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_POST => true,
        CURLOPT_POSTFIELDS => is_string($body) ? $body : json_encode($body),
        CURLOPT_HTTPHEADER => ['Content-type: application/json', ...$headers],
    ]);
    $text = curl_exec($curl);
    $status = curl_getinfo($curl, CURLINFO_HTTP_CODE);
    if ($status !== 200) {
        fwrite(STDERR, "$path: $status $text" . curl_error($curl) . PHP_EOL);
        exit(1);
    }
    return json_decode($text, true);
}

$setPerDate = '/dev/Omsetning/LagreEllerOppdaterOmsetningPrDato';
$meant = [];

// Local midnights with their offsets; daylight saving time changes on two of the dates.
$days = [mktime(0, 0, 0, 1, 31, 2024), mktime(0, 0, 0, 5, 1, 2024), strtotime('2024-03-31'),
    strtotime('2024-10-27'), strtotime('today')];
foreach ($days as $day) {
    $row = ['Dato' => date('c', $day), 'AvdelingID' => 20, 'Omsetning' => '12500.50', 'Merknad' => null];
    post($setPerDate, [$row]);
    post($setPerDate, [$row]);
    $meant[] = date('Y-m-d', $day) . ' 20 12500.5';
}

// Late in the evening, when the UTC date is the same; and in the format of a database.
$evening = mktime(23, 59, 59, 6, 1, 2024);
post($setPerDate, [
    ['Dato' => date(DATE_ATOM, $evening), 'AvdelingID' => '21', 'Omsetning' => 0.1 + 0.2],
    ['Dato' => date('Y-m-d H:i:s', $evening), 'AvdelingID' => '22', 'Omsetning' => 1000.0],
    ['Dato' => date(DATE_ISO8601, $evening), 'AvdelingID' => '23', 'Omsetning' => number_format(1234.5, 2, '.', '')],
]);
array_push($meant, '2024-06-01 21 0.3', '2024-06-01 22 1000', '2024-06-01 23 1234.5');

// A file with a byte order mark from a Windows editor, sent with Expect: 100-continue.
$saved = "\xEF\xBB\xBF" . json_encode([['Dato' => '2024-07-15', 'AvdelingID' => '007', 'Omsetning' => '-49.90']]);
post($setPerDate, $saved, ['Expect: 100-continue', 'Transfer-Encoding: chunked']);
$meant[] = '2024-07-15 007 -49.9';

// json_encode escapes letters and slashes; a double slash between base URL and path.
$lower = ['dato' => '2024-07-16', 'avdelingid' => 'Ærø', 'omsetning' => 7, 'merknad' => 'A/S'];
post('//DEV//omsetning/lagreelleroppdateromsetningPRDATO/', [$lower]);
$meant[] = '2024-07-16 Ærø 7';

$autumn = date('c', mktime(0, 0, 0, 9, 2, 2024));
$inserted = post('/dev/Omsetning/Lagre', [
    'InntekstplanId' => '', 'Dato' => $autumn, 'ipType' => 'I', 'AvdelingID' => '30', 'Omsetning' => '100', 'Merknad' => '',
]);
post('/dev/Omsetning/Oppdater', ['InntekstplanId' => (string) $inserted['InntektsPlanId'], 'Omsetning' => '80.05']);
post('/dev/Omsetning/LagreEllerOppdaterListe', [
    ['Omsetning' => 81.05] + $inserted,
    ['InntekstplanId' => 0, 'Dato' => $autumn, 'AvdelingID' => '31', 'Omsetning' => 5],
]);
array_push($meant, '2024-09-02 30 81.05', '2024-09-02 31 5');

// Without the curl extension: a stream with a context.
foreach (['0.1', 0.2, '.3'] as $part) {
    $stored = file_get_contents("$address/dev/Omsetning/AggsertOmsetning?$account", false, stream_context_create([
        'http' => [
            'method' => 'POST',
            'header' => "Content-type: application/json\r\n",
            'content' => json_encode(['Dato' => $autumn, 'AvdelingID' => '40', 'Omsetning' => $part]),
        ],
    ]));
    if ($stored === false) {
        exit(1);
    }
}
$meant[] = '2024-09-02 40 0.6';

// http_build_query encodes spaces as plus, and percent-encodes the dollar sign.
$question = http_build_query([
    'FIRMA' => $firma, 'Passord' => $passord,
    '$filter' => "Dato eq datetime('2024-07-16') and AvdelingID eq 'Ærø'",
]);
$found = json_decode(file_get_contents("$address/dev/omsetning/finn?$question"), true);
if (count($found) !== 1 || $found[0]['Merknad'] !== 'A/S') {
    fwrite(STDERR, 'found ' . json_encode($found) . PHP_EOL);
    exit(1);
}

echo implode(PHP_EOL, $meant), PHP_EOL;
