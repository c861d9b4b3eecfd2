/** What SONDE_STORAGE says. Apart from s3.ts, so that reading the settings does not load the client. */
import { assertKey } from './artifacts.ts'

export interface S3StorageOptions {
  readonly bucket: string
  readonly region: string
  /** Null means AWS itself. */
  readonly endpoint: string | null
  /** Put before every key; '' or ends with a slash. */
  readonly prefix: string
  /** `http://host/bucket/key` instead of `http://bucket.host/key`; what most services other than AWS need. */
  readonly pathStyle: boolean
  /** Null means the usual AWS variables and files. */
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string } | null
}

/** Reads `s3://bucket?endpoint=…&region=…&prefix=…&path_style=…`; a TypeError says what is wrong with it. */
export const parseS3Url = (text: string, credentials: S3StorageOptions['credentials'] = null): S3StorageOptions => {
  const url = new URL(text)
  if (url.protocol !== 's3:' || url.hostname === '') throw new TypeError('must look like s3://bucket?region=…')
  const known = ['endpoint', 'region', 'prefix', 'path_style']
  for (const name of url.searchParams.keys()) {
    if (!known.includes(name)) throw new TypeError(`has the unknown part "${name}"; known are ${known.join(', ')}`)
  }
  const endpoint = url.searchParams.get('endpoint')
  if (endpoint !== null && !/^https?:\/\//.test(endpoint)) throw new TypeError('endpoint must begin with http(s)://')
  const prefix = (url.searchParams.get('prefix') ?? url.pathname).replace(/^\/+|\/+$/g, '')
  if (prefix !== '') assertKey(prefix)
  return {
    bucket: url.hostname,
    region: url.searchParams.get('region') ?? 'us-east-1',
    endpoint,
    prefix: prefix === '' ? '' : `${prefix}/`,
    pathStyle: url.searchParams.get('path_style') !== 'false' && endpoint !== null,
    credentials,
  }
}
