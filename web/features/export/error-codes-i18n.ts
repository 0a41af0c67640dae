// Texts of the ledger's own codes in both languages.

const nb = {
  ChangeDropped: 'Ble endret etter at mottakeren hentet den. Mottakeren tar ikke rettelser, så endringen er forkastet.',
  HalfCorrection: 'Erstatningen er tatt inn, men reverseringen feilet: mottakeren har begge.',
  PossibleDuplicate: 'Meldt bokført to ganger, av to forskjellige avsendere. Se etter to bilag.',
  ExternalIdMismatch: 'Meldt bokført to ganger, med to numre hos mottakeren. Se etter to bilag:',
  broken: 'reservasjonen ble brutt',
}

const en: typeof nb = {
  ChangeDropped:
    'Changed after the receiver fetched it. The receiver does not accept corrections, so the change was discarded.',
  HalfCorrection: 'The replacement was exported, but the reversal failed: the receiver has both amounts.',
  PossibleDuplicate: 'Reported as exported twice, by two reporters. Check for duplicate vouchers.',
  ExternalIdMismatch: 'Reported as exported twice, with two ids at the receiver. Check for duplicate vouchers:',
  broken: 'the claim was broken',
}

export const ledgerCodes = { nb, en }
