// Texts of the ledger's own codes in both languages.

const nb = {
  ChangeDropped:
    'Ble endret etter at mottakeren hentet den. Mottakeren tar ikke rettelser, så endringen er forkastet.',
  HalfCorrection: 'Erstatningen er tatt inn, men reverseringen feilet: mottakeren har begge.',
  PossibleDuplicate: 'Meldt inntatt to ganger, av to forskjellige. Se etter to bilag.',
  ExternalIdMismatch: 'Meldt inntatt to ganger, med to numre hos mottakeren. Se etter to bilag:',
  broken: 'reservasjonen ble brutt',
}

const en: typeof nb = {
  ChangeDropped:
    'Was changed after the receiver fetched it. The receiver takes no corrections, so the change was dropped.',
  HalfCorrection: 'The replacement was taken in, and the reversal failed: the receiver has both.',
  PossibleDuplicate: 'Reported as taken in twice, by two. Look for two vouchers.',
  ExternalIdMismatch:
    'Reported as taken in twice, with two numbers at the receiver. Look for two vouchers:',
  broken: 'the claim was broken',
}

export const codes = { nb, en }
