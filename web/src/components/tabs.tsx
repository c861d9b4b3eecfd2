/** Parts of a page, each with its own address. On a phone the row scrolls, and the chosen part is always in sight. */
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { useT } from '../i18n/text.tsx'

export const Tabs = ({ children }: { readonly children: ReactNode }) => {
  const t = useT()
  const row = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    // Named, so that a change of address is what runs it.
    void pathname
    const chosen = row.current?.querySelector<HTMLElement>('[aria-current="page"]')
    if (!row.current || !chosen) return
    // Sideways alone: the page itself must not jump.
    const { left, width } = row.current.getBoundingClientRect()
    const at = chosen.getBoundingClientRect()
    if (at.right > left + width || at.left < left) row.current.scrollBy({ left: at.left - left - 40 })
  }, [pathname])
  return (
    <nav ref={row} className="tabs" aria-label={t('parts')}>
      {children}
    </nav>
  )
}
