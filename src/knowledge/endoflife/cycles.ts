/**
 * When the makers end the care for a release line. Dates are the makers' own, from their release pages as of
 * November 2026; `sonde feeds import endoflife` brings newer ones.
 */

/** `cycle=date`, the last day of security fixes; a line that is still cared for has none. */
const CYCLES: Readonly<Record<string, string>> = {
  // https://www.php.net/eol.php, https://www.php.net/supported-versions.php
  PHP: '5.2=2011-01-06 5.3=2014-08-14 5.4=2015-09-14 5.5=2016-07-21 5.6=2018-12-31 7.0=2019-01-10 7.1=2019-12-01 7.2=2020-11-30 7.3=2021-12-06 7.4=2022-11-28 8.0=2023-11-26 8.1=2025-12-31 8.2=2026-12-31 8.3=2027-12-31 8.4=2028-12-31 8.5=2029-12-31',
  // https://httpd.apache.org/
  'Apache HTTP Server': '1.3=2010-02-03 2.0=2013-07-10 2.2=2017-07-11 2.4',
  // https://tomcat.apache.org/whichversion.html
  'Apache Tomcat': '6=2016-12-31 7=2021-03-31 8.0=2018-06-30 8.5=2024-03-31 9.0=2027-03-31 10.0=2022-10-31 10.1 11.0',
  // https://jetty.org/download.html
  Jetty: '9.2=2018-03-08 9.3=2020-12-07 9.4=2025-08-14 10=2025-01-01 11=2025-01-01 12.0 12.1',
  // https://devguide.python.org/versions/
  Python:
    '2.7=2020-01-01 3.4=2019-03-18 3.5=2020-09-30 3.6=2021-12-23 3.7=2023-06-27 3.8=2024-10-07 3.9=2025-10-31 3.10=2026-10-31 3.11=2027-10-31 3.12=2028-10-31 3.13=2029-10-31',
  // https://www.ruby-lang.org/en/downloads/branches/
  Ruby: '2.3=2019-03-31 2.4=2020-03-31 2.5=2021-03-31 2.6=2022-03-31 2.7=2023-03-31 3.0=2024-04-23 3.1=2025-03-26 3.2=2026-03-31 3.3=2027-03-31 3.4=2028-03-31',
  // https://openssl-library.org/policies/releasestrat/
  OpenSSL:
    '0.9.8=2015-12-31 1.0.0=2015-12-31 1.0.1=2016-12-31 1.0.2=2019-12-31 1.1.0=2019-09-11 1.1.1=2023-09-11 3.0=2026-09-07 3.1=2025-03-14 3.2=2025-11-23',
  // https://www.drupal.org/about/core/policies/core-release-cycles
  Drupal: '7=2025-01-05 8=2021-11-02 9=2023-11-01 10=2026-12-16',
  // https://developer.joomla.org/roadmap.html
  Joomla: '1.5=2012-12-31 2.5=2014-12-31 3=2023-08-17 4=2025-10-14 5=2027-10-12',
  // https://typo3.org/cms/roadmap; the dates of the free releases
  TYPO3: '7=2018-12-01 8=2020-03-31 9=2021-09-30 10=2023-04-30 11=2024-10-31 12=2026-04-30 13=2027-12-31',
  // https://www.mediawiki.org/wiki/Version_lifecycle
  MediaWiki:
    '1.31=2021-09-30 1.35=2023-12-21 1.36=2022-06-03 1.37=2022-11-30 1.38=2023-06-30 1.39=2025-12-31 1.40=2024-06-28 1.41=2024-12-31 1.42=2025-06-30 1.43=2027-12-31',
  // https://jquery.com/support/
  jQuery: '1=2021-03-02 2=2021-03-02 3 4',
  // https://getbootstrap.com/docs/versions/
  Bootstrap: '2=2013-08-19 3=2019-07-24 4=2023-01-01 5',
  // https://docs.angularjs.org/misc/version-support-status
  AngularJS: '1=2021-12-31',
  // https://angular.dev/reference/releases
  Angular:
    '9=2021-08-06 10=2021-12-24 11=2022-05-11 12=2022-11-12 13=2023-05-04 14=2023-11-18 15=2024-05-18 16=2024-11-08 17=2025-05-15 18=2025-11-21 19=2026-05-19',
  // https://v2.vuejs.org/eol/
  'Vue.js': '2=2023-12-31 3',
  // https://nextjs.org/support-policy
  'Next.js': '11=2022-01-27 12=2022-11-21 13=2024-12-21 14=2025-10-26',
  // https://learn.microsoft.com/lifecycle/products/internet-information-services-iis; IIS ends with its Windows
  'Microsoft IIS': '6.0=2015-07-14 7.0=2020-01-14 7.5=2020-01-14 8.0=2023-10-10 8.5=2023-10-10',
  // https://docs.umbraco.com/umbraco-cms/
  Umbraco: '7=2023-09-30 8=2025-02-24 9=2022-12-16 10=2025-06-16 11=2023-12-01 12=2024-06-29 13=2026-12-14',
  // https://www.phpmyadmin.net/downloads/
  phpMyAdmin: '4.6=2017-04-01 4.7=2018-04-07 4.8=2019-06-04 5.0=2021-02-24 5.1=2022-05-11 5.2',
}

export const CYCLES_VERSION = '2026.11'

export interface Cycle {
  readonly cycle: string
  /** ISO date, or null for a line that is cared for or whose end is not known. */
  readonly end: string | null
}

export const cycleProducts = (): readonly string[] => Object.keys(CYCLES)

/** The lines of one product; null where nothing is known of it. */
export const embeddedCycles = (product: string): readonly Cycle[] | null => {
  const text = CYCLES[product]
  if (text === undefined) return null
  return text.split(' ').map((one) => {
    const [cycle = '', end] = one.split('=')
    return { cycle, end: end ?? null }
  })
}

/** The line that a version belongs to: `7.4.3` is of `7.4`, or of `7` where only that is listed. */
export const cycleOf = (version: string, cycles: readonly Cycle[]): Cycle | null =>
  cycles
    .filter(({ cycle }) => version === cycle || version.startsWith(`${cycle}.`) || isLetterOf(version, cycle))
    .toSorted((a, b) => b.cycle.length - a.cycle.length)[0] ?? null

/** OpenSSL's `1.0.2k` is of `1.0.2`. */
const isLetterOf = (version: string, cycle: string): boolean =>
  version.startsWith(cycle) && /^[a-z]/.test(version.slice(cycle.length))
