import { useText } from '../i18n/text.tsx'

/** A sentence of the service, in the reader's language where there are words for it. */
export const Said = ({ text }: { readonly text: string }) => {
  const { language, said } = useText()
  const own = said(text)
  return own === text && language !== 'en' ? <span lang="en">{text}</span> : own
}
