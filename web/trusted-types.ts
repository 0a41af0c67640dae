// Under Trusted Types no text becomes HTML. One thing may: the rules that the component library puts into style elements.

interface PolicyFactory {
  createPolicy(name: string, rules: { createHTML(text: string): string }): unknown
}

export const allowStyles = (): void => {
  const factory = 'trustedTypes' in window ? window.trustedTypes : undefined
  if (!isFactory(factory)) return
  factory.createPolicy('default', {
    createHTML: (text) => {
      if (text.includes('<')) throw new TypeError('markup was about to be made of a text')
      return text
    },
  })
}

const isFactory = (value: unknown): value is PolicyFactory =>
  typeof value === 'object' && value !== null && 'createPolicy' in value
