/** What holds of a host without a website: its names, mail, ports and services can be looked at, pages cannot. */
import type { SiteFacts } from './facts.ts'

/** For `unless` of modules that look at pages. */
export const withoutWebsite = ({ site }: { readonly site: SiteFacts }): string | null => site.absent ?? null
