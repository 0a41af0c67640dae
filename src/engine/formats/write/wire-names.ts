// The words of an answer that tells row by row what became of a list (ADR 0007).

export const resultWords = {
  /** The root in XML. */
  answer: 'svar',
  results: 'resultater',
  /** One of the results in XML. */
  result: 'resultat',
  /** How many results there are of each code. */
  counts: 'antall',
} as const
