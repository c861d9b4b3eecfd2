// Before anything is drawn: the colours that the reader chose, so that a dark page never flashes white.
{
  const chosen = localStorage.getItem('sonde.scheme')
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.dataset.mantineColorScheme = dark ? 'dark' : 'light'
}
