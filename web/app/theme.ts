// Mantine theme: colours, type and sizes with WCAG 2.2 AA contrast in both colour schemes.
import {
  Button,
  createTheme,
  defaultVariantColorsResolver,
  NativeSelect,
  SegmentedControl,
  Switch,
  TextInput,
  type CSSVariablesResolver,
  type VariantColorsResolver,
} from '@mantine/core'

const variantColorResolver: VariantColorsResolver = (input) => {
  const resolved = defaultVariantColorsResolver(input)
  if (input.variant !== 'light') return resolved
  const name = input.color ?? input.theme.primaryColor
  const shade = (index: number) => `var(--mantine-color-${name}-${index})`
  return {
    ...resolved,
    background: `light-dark(${shade(0)}, color-mix(in srgb, ${shade(9)} 35%, transparent))`,
    hover: `light-dark(${shade(1)}, color-mix(in srgb, ${shade(9)} 50%, transparent))`,
    color: `light-dark(color-mix(in srgb, ${shade(9)} 70%, black), ${shade(2)})`,
  }
}

export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#56606a',
    '--mantine-color-placeholder': '#66707a',
    '--mantine-color-body': '#ffffff',
  },
  dark: { '--mantine-color-dimmed': '#b4b9bf', '--mantine-color-placeholder': '#a3a9b0' },
})

export const theme = createTheme({
  primaryColor: 'fjord',
  primaryShade: { light: 7, dark: 8 },
  autoContrast: true,
  variantColorResolver,
  colors: {
    fjord: [
      '#e9f5f5',
      '#d3e8e8',
      '#a6d1d2',
      '#76b9bb',
      '#4fa4a7',
      '#35969a',
      '#1f8a8e',
      '#0f6f74',
      '#0f5e63',
      '#084a4e',
    ],
  },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.25rem' },
  components: {
    Button: Button.extend({
      defaultProps: { size: 'xs' },
      styles: { label: { fontWeight: 550 } },
    }),
    TextInput: TextInput.extend({ defaultProps: { size: 'xs' } }),
    NativeSelect: NativeSelect.extend({ defaultProps: { size: 'xs' } }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { size: 'xs' } }),
    Switch: Switch.extend({ defaultProps: { size: 'sm' } }),
  },
  headings: {
    fontWeight: '620',
    sizes: {
      h1: { fontSize: '1.25rem', lineHeight: '1.3' },
      h2: { fontSize: '0.9375rem', lineHeight: '1.4' },
    },
  },
})
