// `Prefer`: what a caller would like, and may not get (RFC 7240; OData 4.01 part 1, 8.2.8).
import { splitOutsideQuotes } from '#wire/header-list.ts'

export interface Preference {
  /** As the caller spelled it, for `Preference-Applied`. */
  readonly name: string
  /** Without quotes; '' where there is none. */
  readonly value: string
}

/** One preference of the header, in lower case and with or without `odata.`; the first where it stands twice. */
export const preferenceIn = (header: string | undefined, wanted: string): Preference | null => {
  for (const element of splitOutsideQuotes(header ?? '', ',')) {
    const [first = ''] = splitOutsideQuotes(element, ';')
    const [name = '', ...values] = first.split('=').map((part) => part.trim())
    if (name.toLowerCase().replace(/^odata\./, '') !== wanted) continue
    return { name, value: values.join('=').replaceAll('"', '') }
  }
  return null
}
