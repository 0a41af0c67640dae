// Trusted Types policy: no text becomes HTML, except the CSS rules of Mantine.
import { serviceWorkerPath } from './install.ts'

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(address: string): string },
  ): unknown
}

export function installTrustedTypesPolicy(): void {
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
