/**
 * The root zone's trust anchors, as DS records (RFC 4034, 5.3).
 * Source: IANA, https://data.iana.org/root-anchors/root-anchors.xml: KSK-2017 (20326) and KSK-2024 (38696).
 */
export interface TrustAnchor {
  /** Lower case without trailing dot; '' is the root. */
  readonly name: string
  readonly tag: number
  readonly algorithm: number
  readonly digestType: number
  /** Upper-case hexadecimal. */
  readonly digest: string
}

export const ROOT_ANCHORS: readonly TrustAnchor[] = [
  {
    name: '',
    tag: 20326,
    algorithm: 8,
    digestType: 2,
    digest: 'E06D44B80B8F1D39A95C0B0D7C65D08458E880409BBC683457104237C7F8EC8D',
  },
  {
    name: '',
    tag: 38696,
    algorithm: 8,
    digestType: 2,
    digest: '683D2D0ACB8C9B712A1948B27F741219298D0A450D612C483AF444A4C0FB2B16',
  },
]

/** Reads `name tag algorithm digest-type hex`, blanks allowed within the digest. @throws RangeError */
export const parseAnchor = (text: string): TrustAnchor => {
  const match =
    /^(\S+)[ \t]+(?:IN[ \t]+)?(?:DS[ \t]+)?(\d{1,5})[ \t]+(\d{1,3})[ \t]+(\d{1,3})[ \t]+([0-9a-f \t]+)$/i.exec(
      text.trim(),
    )
  const [, name = '', tag, algorithm, digestType, digest = ''] = match ?? []
  const hex = digest.replace(/[ \t]/g, '').toUpperCase()
  if (!match || hex.length % 2 !== 0) throw new RangeError(`"${text.slice(0, 100)}" is not a DS record`)
  return {
    name: name.toLowerCase().replace(/\.$/, ''),
    tag: Number(tag),
    algorithm: Number(algorithm),
    digestType: Number(digestType),
    digest: hex,
  }
}
