// Error pages: the errors that somebody who opens the server in a browser can resolve, as HTML.
import { createHash } from 'node:crypto'
import type { ErrorCode } from '../errors/catalog.ts'
import { inLanguage, type Language, type MessagePair } from '../errors/messages.ts'
import { html, Html } from '../lib/html.ts'

interface ErrorPageText {
  readonly title: MessagePair
  readonly help: MessagePair
}

/** The page of an error; undefined for errors without one. */
export function renderErrorPage(code: ErrorCode, language: Language): string | undefined {
  const text = errorPageTexts[code]
  return text === undefined ? undefined : renderPage(language, text)
}

const errorPageTexts: Partial<Record<ErrorCode, ErrorPageText>> = {
  NotInitialised: {
    title: ['Serveren er ikke satt opp', 'The server is not set up'],
    help: [
      'Finn oppsettslenken i vinduet eller loggen der serveren ble startet, eller i filen setup-link i datamappen. Den virker én gang, i 60 minutter; en ny start av serveren lager en ny.',
      'Find the set-up link in the window or the log where the server was started, or in the file setup-link of its data folder. It works once, for 60 minutes; a restart of the server creates a new one.',
    ],
  },
  NotFound: {
    title: ['Siden finnes ikke', 'There is no such page'],
    help: [
      'Adressen er feil, eller siden er flyttet. Appen har adressen / på denne serveren, og beskrivelsen av grensesnittet har /docs.',
      'The address is wrong, or the page has moved. The app is at / on this server, and the description of the interface at /docs.',
    ],
  },
  SetupAlreadyDone: {
    title: ['Serveren er allerede satt opp', 'This server is set up already'],
    help: [
      'En oppsettslenke virker én gang. Den som drifter serveren, kan legge til firmaer, nøkler og personer på kommandolinjen: dagsverk company add, dagsverk key add, dagsverk user add.',
      'A set-up link works once. The operator can add companies, keys and users on the command line: dagsverk company add, dagsverk key add, dagsverk user add.',
    ],
  },
  AppNotBuilt: {
    title: ['Nettleserappen er ikke bygd', 'The browser app is not built'],
    help: [
      'Kjør npm start i en klone, som bygger appen og starter serveren, eller lag pakken med npm pack og installer den. API-et virker uten appen.',
      'Run npm start in a clone, which builds the app and starts the server, or create the package with npm pack and install it. The API works without the app.',
    ],
  },
  TlsRequired: {
    title: ['Siden krever HTTPS', 'This page needs HTTPS'],
    help: [
      'Ukryptert HTTP godtas ikke fra adressen din. Åpne adressen som begynner med https.',
      'Plain HTTP is not accepted from your address. Open the address that begins with https.',
    ],
  },
}

function renderPage(language: Language, text: ErrorPageText): string {
  const title = inLanguage(text.title, language)
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        ${new Html(`<style>${style}</style>`)}
      </head>
      <body>
        <main>
          ${logo}
          <h1>${title}</h1>
          <p>${inLanguage(text.help, language)}</p>
        </main>
      </body>
    </html> `.text
}

/** The logo of the app. It and the colours of `style` are repeated here, because the page must not depend on the built app. */
const logo = new Html(
  '<svg width="40" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0f6f74"/><rect x="7.5" y="7" width="4" height="18" rx="2" fill="#fff"/><path d="M14 7a9 9 0 0 1 8.7 11.2H14zM14 20h7.9a9 9 0 0 1-2.1 2.6H14zM14 24.2h3.2a9 9 0 0 1-3.2.8z" fill="#f6bd51"/></svg>',
)

const style = `
  @font-face { font-family: Figtree; font-weight: 300 900; font-display: swap; src: url(/app/assets/figtree-latin-wght-normal.woff2) }
  body { margin: 0; padding: 12vh 1rem 1rem; background: light-dark(#f1f5f4, #0f1819); color: light-dark(#26393d, #d5e0e0); font: 1rem/1.55 Figtree, system-ui, sans-serif; overflow-wrap: anywhere }
  main { max-width: 34rem; margin: auto; padding: 2rem; border: 1px solid light-dark(#dde5e4, #2a3a3c); border-radius: 12px; background: light-dark(#fff, #172224); box-shadow: 0 8px 28px light-dark(#082a2e33, #0009) }
  h1 { margin: 1rem 0 .5rem; color: light-dark(#0f2529, #eef5f5); font-size: 1.5rem; line-height: 1.3 }
  p { margin: 0 }`

/** The page loads nothing but the typeface of the app, if it is built, and its one style is allowed by its hash. */
export const errorPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "font-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')
