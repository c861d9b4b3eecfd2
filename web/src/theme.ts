import { createTheme } from '@mantine/core'

/** Sizes and habits of Mantine's components; the colours are those of styles/tokens.css. */
export const THEME = createTheme({
  fontFamily: 'var(--sans)',
  cursorType: 'pointer',
  components: {
    Button: { defaultProps: { size: 'sm' } },
    TextInput: { defaultProps: { size: 'sm' } },
    NativeSelect: { defaultProps: { size: 'sm' } },
    // Its scroll lock writes a style element, which the policy forbids; base.css locks instead.
    Modal: { defaultProps: { lockScroll: false, centered: true, radius: 10, transitionProps: { duration: 0 } } },
    Menu: { defaultProps: { transitionProps: { duration: 0 }, shadow: 'md' } },
  },
})
