// Wire names in a reply with one result per list element (ADR 0007).

export const resultNames = {
  /** The XML root element. */
  root: 'svar',
  results: 'resultater',
  /** The XML element of one result. */
  result: 'resultat',
  /** The number of results by code. */
  counts: 'antall',
} as const
