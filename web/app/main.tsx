// Entry point of the browser app.
import '@mantine/core/styles/baseline.layer.css'
import '@mantine/core/styles/default-css-variables.layer.css'
import '@mantine/core/styles/global.layer.css'
import '@fontsource-variable/figtree/index.css'
import '../styles/app.css'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RequestError } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { createAppRouter } from './router.tsx'
import { LanguageProvider } from '../i18n/LanguageProvider.tsx'
import { theme } from './theme.ts'
import { serviceWorkerPath } from './install.ts'
import { isPublic } from './navigation.ts'

installTrustedTypesPolicy()

const client = new QueryClient({
  defaultOptions: {
    // Also run offline: replies come from the local cache, or fail.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      refetchOnReconnect: true,
      // An error response is final; only failures of the server or network are retried.
      retry: (count, error) => count < 2 && error instanceof RequestError && error.status >= 500,
    },
  },
})

function styleNonce(): string {
  return document.querySelector<HTMLElement>('meta[property="csp-nonce"]')?.nonce ?? ''
}

// The library that locks scrolling behind a dialog reads its nonce from here.
Object.assign(window, { __webpack_nonce__: styleNonce() })

const element = document.querySelector('#app')
if (element === null) throw new Error('the page has no #app element')

// Its reply is needed by the frame, and on its way while the screen's code loads.
if (!isPublic(location.pathname)) void client.prefetchQuery(sessionQuery)

createRoot(element).render(
  <StrictMode>
    <LanguageProvider>
      <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={styleNonce}>
        <QueryClientProvider client={client}>
          <RouterProvider router={createAppRouter(client)} />
        </QueryClientProvider>
      </MantineProvider>
    </LanguageProvider>
  </StrictMode>,
)

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(address: string): string },
  ): unknown
}

/** Trusted Types policy: no text becomes HTML, except the CSS rules of Mantine. */
function installTrustedTypesPolicy(): void {
  const factory = 'trustedTypes' in window ? window.trustedTypes : undefined
  if (!isFactory(factory)) return
  factory.createPolicy('default', {
    createHTML: (text) => {
      if (text.includes('<')) throw new TypeError('blocked: text would become HTML')
      return text
    },
    createScriptURL: (address) => {
      if (address !== serviceWorkerPath) throw new TypeError('blocked: script URL is not allowed')
      return address
    },
  })
}

function isFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value
}
