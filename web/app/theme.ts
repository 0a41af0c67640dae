// Mantine theme: colour scales with WCAG 2.2 AA contrast in both schemes, and the tokens of styles/app.css.
import { createTheme, defaultVariantColorsResolver, type VariantColorsResolver } from '@mantine/core'

/** The default resolver takes the text of a filled button from the light scheme, in both. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input)
  const filled = `var(--mantine-color-${input.color ?? input.theme.primaryColor}-filled)`
  if (input.variant === 'filled') return { ...resolved, color: 'var(--on-accent)' }
  if (input.variant !== 'light' && input.variant !== 'subtle') return resolved
  return {
    ...resolved,
    background: input.variant === 'subtle' ? 'transparent' : `color-mix(in srgb, ${filled} 12%, transparent)`,
    hover: `color-mix(in srgb, ${filled} 18%, transparent)`,
    color: filled,
  }
}

export const theme = createTheme({
  primaryColor: 'fjord',
  primaryShade: { light: 7, dark: 3 },
  variantColorResolver,
  colors: {
    fjord: [
      '#e6f4f3',
      '#cfe8e7',
      '#a1d3d3',
      '#6fbdbe',
      '#45a9ab',
      '#2a9799',
      '#178588',
      '#0f6f74',
      '#0b5a5f',
      '#07474b',
    ],
    red: ['#fdecea', '#f9d5d1', '#f3b4ac', '#ec9389', '#df5548', '#d43d2f', '#c62f22', '#b3261e', '#8f1d17', '#6e1510'],
    dark: [
      '#d5e0e0',
      '#bccaca',
      '#a9b8b9',
      '#8a9b9d',
      '#3d4f51',
      '#2a3a3c',
      '#1e2c2e',
      '#172224',
      '#0f1819',
      '#0a1112',
    ],
  },
  cursorType: 'pointer',
  fontFamily: "'Figtree Variable', system-ui, sans-serif",
  fontSizes: {
    xs: 'var(--type-1)',
    sm: 'var(--type-2)',
    md: 'var(--type-3)',
    lg: 'var(--type-4)',
    xl: 'var(--type-5)',
  },
  radius: { sm: 'var(--radius-1)', md: 'var(--radius-2)', lg: 'var(--radius-3)' },
  defaultRadius: 'md',
  // A menu may contain nothing else that takes the focus.
  components: { Menu: { defaultProps: { withInitialFocusPlaceholder: false } } },
})
