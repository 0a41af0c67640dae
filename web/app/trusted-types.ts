// Trusted Types policy: no text becomes HTML, except the CSS rules of Mantine.
import { serviceWorkerAt } from './install.ts'

interface PolicyFactory {
  createPolicy(
    name: string,
    rules: { createHTML(text: string): string; createScriptURL(address: string): string },
  ): unknown
}

export function allowStyles(): void {
  const factory = 'trustedTypes' in window ? window.trustedTypes : undefined
  if (!isFactory(factory)) return
  factory.createPolicy('default', {
    createHTML: (text) => {
      if (text.includes('<')) throw new TypeError('markup was about to be made of a text')
      return text
    },
    createScriptURL: (address) => {
      if (address !== serviceWorkerAt) throw new TypeError('a script was about to be loaded')
      return address
    },
  })
}

function isFactory(value: unknown): value is PolicyFactory {
  return typeof value === 'object' && value !== null && 'createPolicy' in value
}
