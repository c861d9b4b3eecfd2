/**
 * What the assigners of CVE records call a product, in the terms of the CPE dictionary. Records of the CVE list have most often no CPE
 * at all: maker and product stand there in words, and each assigner has its own.
 */

/** `Apache Software Foundation` is `apache`, `PHP Group` is `php`, `Oracle Corporation` is `oracle`. */
const LEGAL_FORM =
  /[\s,]+(?:(?:software )?foundation|group|corporation|corp\.?|inc\.?|llc|ltd\.?|gmbh|ag|project|team|consortium)$/i

/** Where no rule leads from the words to the dictionary: `maker:product` as `plain` writes them, and what the dictionary has. */
const DICTIONARY: Readonly<Record<string, string>> = {
  'automattic:wordpress': 'wordpress:wordpress',
  'drupal:core': 'drupal:drupal',
  'erlang:otp': 'erlang:erlang\\/otp',
  'f5:nginx_open_source': 'f5:nginx',
  'isc:bind_9': 'isc:bind',
  'joomla!:joomla!_cms': 'joomla:joomla\\!',
  'mariadb:server': 'mariadb:mariadb',
  'mozilla:pdf.js': 'mozilla:pdf.js',
  'nats-io:nats-server': 'nats:nats_server',
  'oracle:mysql_server': 'oracle:mysql',
  'phusion:passenger': 'phusionpassenger:passenger',
  'python:cpython': 'python:python',
  'rabbitmq:rabbitmq-server': 'vmware:rabbitmq',
  'roundcube:roundcubemail': 'roundcube:webmail',
  'tryghost:ghost': 'ghost:ghost',
  'typo3:cms': 'typo3:typo3',
  'valkey-io:valkey': 'lfprojects:valkey',
  'wikimedia:mediawiki': 'mediawiki:mediawiki',
  'wordpress:wordpress-develop': 'wordpress:wordpress',
}

/** Every name by which the product may be looked up: as it is written, by rule, and as the dictionary has it. */
export const dictionaryNames = (vendor: string, product: string): readonly string[] => {
  const written = `${words(vendor)}:${words(product)}`
  const maker = plain(vendor)
  const named = words(product)
  const short = named.startsWith(`${maker}_`) ? named.slice(maker.length + 1) : named
  const ruled = [`${maker}:${named}`, `${maker}:${short}`]
  return [...new Set([written, ...ruled, ...ruled.flatMap((name) => DICTIONARY[name] ?? [])])]
}

const plain = (vendor: string): string => words(vendor.trim().replace(LEGAL_FORM, ''))

const words = (text: string): string => text.trim().toLowerCase().replace(/\s+/g, '_')
