/** The distribution that a banner names: it fixes old versions without raising their number. */

export interface Distribution {
  readonly family: 'debian' | 'ubuntu' | 'redhat'
  /** The package's full version, e.g. `7.4.33-1+deb11u4`; null where the banner names the family alone. */
  readonly revision: string | null
  /** The release as far as the revision says it, e.g. `11`. */
  readonly release: string | null
}

/** `PHP/7.4.33-1+deb11u4`, `OpenSSH_9.2p1 Debian-2+deb12u3`, `5.5.5-10.11.6-MariaDB-0+deb12u1`. */
export const distributionOf = (banner: string): Distribution | null => {
  const debian = /(\d[\w.]*)(?:-MariaDB)?[- ](?:Debian-)?([\w.]*(?:\+|~)deb(\d+)u\d+)/.exec(banner)
  if (debian) return { family: 'debian', revision: `${debian[1]}-${debian[2]}`, release: debian[3] ?? null }
  const ubuntu = /(\d[\w.]*)[- ](?:Ubuntu-)?(\d+ubuntu[\d.]+)/.exec(banner)
  if (ubuntu) return { family: 'ubuntu', revision: `${ubuntu[1]}-${ubuntu[2]}`, release: null }
  if (/\.el\d|\((?:CentOS|Red Hat|Rocky|AlmaLinux|Fedora)/i.test(banner)) return named('redhat')
  if (/\bUbuntu\b/i.test(banner)) return named('ubuntu')
  return /\bDebian\b/i.test(banner) ? named('debian') : null
}

const named = (family: Distribution['family']): Distribution => ({ family, revision: null, release: null })
