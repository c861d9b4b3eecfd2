/** What holds of a host without a website: its names, mail, ports and services can be looked at, pages cannot. */
import type { SiteFacts } from './facts.ts'

/** For `unless` of modules that look at pages. */
export const withoutWebsite = ({ site }: { readonly site: SiteFacts }): string | null => site.absent ?? null

/** For `unless` of modules that look at what visitors see: a server may have its applications elsewhere, at addresses that nobody told. */
export const withoutStartPage = ({ site }: { readonly site: SiteFacts }): string | null => {
  const status = site.pages[0]?.status ?? 0
  const nothing = status === 404 || status === 410 || status >= 500
  return site.absent ?? (nothing ? `the start page answers ${status}, so it shows nothing to visitors` : null)
}
