import { createTheme, type MantineColorsTuple } from '@mantine/core'

const ACCENT = 'var(--accent)'

/** Ten shades are asked for; what is drawn are the variables of styles/tokens.css. */
const INK: MantineColorsTuple = [ACCENT, ACCENT, ACCENT, ACCENT, ACCENT, ACCENT, ACCENT, ACCENT, ACCENT, ACCENT]

/** Sizes and habits of Mantine's components; the colours are those of styles/tokens.css. */
export const THEME = createTheme({
  colors: { ink: INK },
  primaryColor: 'ink',
  fontFamily: 'var(--sans)',
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    NativeSelect: { defaultProps: { size: 'sm' } },
  },
})
