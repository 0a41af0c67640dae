// State of the command palette: whether it is open, and what is typed and selected.
import { createSpotlight } from '@mantine/spotlight'

export const [paletteStore, { open: openPalette, close: closePalette }] = createSpotlight()
