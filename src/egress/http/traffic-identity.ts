/** Who says that it asks: product, version, run and a contact, and a signature that the site's owner can verify. */
import { signTraffic } from '../../contract/traffic-identity.ts'

export interface IdentityHeaders {
  readonly userAgent: string
  /** What a browser adds to its own User-Agent. */
  readonly product: string
  /** Value of Sonde-Run, signed for now. Null towards hosts that are not the target's. */
  readonly sondeRun: (() => string) | null
}

export const createIdentity = (options: {
  readonly runId: string
  readonly version: string
  readonly contact: string
  readonly trafficKey: string
}): IdentityHeaders & { readonly sondeRun: () => string } => {
  const contact = options.contact === '' ? '' : `; +${options.contact}`
  let signed = { at: 0, value: '' }
  return {
    userAgent: headerSafe(`Mozilla/5.0 (compatible; Sonde/${options.version}; run ${options.runId}${contact})`),
    product: headerSafe(`Sonde/${options.version} (run ${options.runId}${contact})`),
    sondeRun: () => {
      const issuedAt = Math.floor(Date.now() / 1000)
      if (signed.at !== issuedAt) {
        signed = { at: issuedAt, value: signTraffic({ runId: options.runId, issuedAt }, options.trafficKey) }
      }
      return signed.value
    },
  }
}

/** The contact is the operator's own text; a header takes printable ASCII only. */
const headerSafe = (text: string): string => text.replace(/[^\x20-\x7e]/g, '')
