/** What egress may do in a run. Comes from the operator's configuration. */
export interface EgressSettings {
  /** Static name table: name to addresses. */
  readonly hosts: Readonly<Record<string, readonly string[]>>
  /** Networks in CIDR form that the guard opens although it refuses them by default. */
  readonly allowNetworks: readonly string[]
  /** Resolver addresses (with optional :port); empty means the system's. */
  readonly resolvers: readonly string[]
  /** DNSSEC trust anchors as DS records, `name tag algorithm digest-type hex`; absent means the root zone's own. */
  readonly trustAnchors?: readonly string[]
  /** Domain of our own listener: names below it are for targets, and never looked up by the scan itself. */
  readonly outOfBandDomain?: string
  /** Requests a second to one host. */
  readonly requestsPerSecond: number
  /** Requests to one host at once. */
  readonly concurrency: number
  /** Shown in User-Agent. */
  readonly contact: string
  /** Base64url; signs the Sonde-Run header. */
  readonly trafficKey: string
}

/** A domain may slow its runs down, never past the operator's limit. */
export const pacedBy = (settings: EgressSettings, requestsPerSecond: number | null): EgressSettings =>
  requestsPerSecond === null
    ? settings
    : { ...settings, requestsPerSecond: Math.min(settings.requestsPerSecond, requestsPerSecond) }
