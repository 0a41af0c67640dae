// The sentence of a refusal with the words that readers put into it, in the caller's language.
import { sentence, type FaultCode, type Language, type Says } from '#faults.ts'

/** Like `sentence`, but that the phrases of this room are Norwegian in a Norwegian sentence. */
export const say = (code: FaultCode, says: Says, language: Language): string =>
  sentence(code, language === 'nb' ? inNorwegian(says) : says, language)

const inNorwegian = (says: Says): Says =>
  Object.fromEntries(
    Object.entries(says).map(([name, value]) => [name, phrases.get(String(value)) ?? value]),
  )

const phrases = new Map([
  ['an object', 'et objekt'],
  ['an array', 'en liste'],
  ['an object or an array', 'et objekt eller en liste'],
  ['a text', 'en tekst'],
  ['a number', 'et tall'],
  ['a whole number', 'et helt tall'],
  ['a date as text', 'en dato som tekst'],
  ['true or false', 'true eller false'],
  ['it is empty', 'den er tom'],
  ['a DOCTYPE', 'en DOCTYPE'],
  ['a processing instruction', 'en behandlingsinstruks'],
  ['more than 8 levels', 'mer enn 8 nivåer'],
  ['its declaration names another encoding than UTF-8', 'deklarasjonen oppgir noe annet enn UTF-8'],
  ['more text follows the end', 'det kommer mer tekst etter slutten'],
  ['a comma or a closing bracket is missing', 'et komma eller en sluttparentes mangler'],
  ['a name in double quotes is missing', 'et navn i doble anførselstegn mangler'],
  ['a colon is missing', 'et kolon mangler'],
  ['a value is missing', 'en verdi mangler'],
  ['it ends too early', 'det slutter for tidlig'],
  ['a text is not closed', 'en tekst er ikke avsluttet'],
  ['a text holds a line break or a tab', 'en tekst har et linjeskift eller en tabulator'],
  ['a text holds an unknown escape', 'en tekst har et ukjent spesialtegn'],
  ['a number is not written as JSON writes it', 'et tall er ikke skrevet slik JSON skriver det'],
])
