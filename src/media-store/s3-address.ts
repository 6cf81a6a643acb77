/** A bucket of an S3-compatible store. Without keys the environment's own AWS credentials are used. */
export type S3Address = {
  bucket: string
  /** Prefix of every key; empty or ending in a slash. */
  prefix: string
  region: string
  /** Absent: AWS itself. */
  endpoint?: string
  /** The bucket is in the path instead of the host name. */
  pathStyle: boolean
  keyId?: string
  secret?: string
}

const SETTINGS = ['region', 'endpoint', 'pathStyle']

/**
 * Parses `s3://BUCKET/PREFIX?region=…&endpoint=https://…&pathStyle=true`. Defaults: region us-east-1; with an
 * endpoint, pathStyle true. Returns the address, or the problem with it.
 */
export function parseS3Address(text: string): { value: S3Address } | { problem: string } {
  const url = URL.parse(text)
  const example = 'such as s3://bucket/prefix?region=ap-south-1'
  if (url?.protocol !== 's3:' || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.hostname))
    // The text may contain keys, so it is not repeated.
    return { problem: `Must be the address of a bucket, ${example}.` }
  if (url.username || url.password || url.hash)
    return { problem: `Must not contain keys. Use an address ${example}.` }
  const unknown = [...url.searchParams.keys()].filter((name) => !SETTINGS.includes(name))
  if (unknown.length > 0)
    return { problem: `Unknown setting ${unknown.join(', ')}. Known settings: ${SETTINGS.join(', ')}.` }
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (prefix !== '' && !/^[\w.-]+(\/[\w.-]+)*$/.test(prefix))
    return { problem: 'The prefix can have only letters, digits, ".", "-", "_", and "/".' }
  const endpoint = url.searchParams.get('endpoint') ?? undefined
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? ''))
    return {
      problem: `The endpoint must be a web address, such as https://minio.example.com, not "${endpoint}".`,
    }
  return {
    value: {
      bucket: url.hostname,
      prefix: prefix === '' ? '' : `${prefix}/`,
      region: url.searchParams.get('region') ?? 'us-east-1',
      ...(endpoint === undefined ? {} : { endpoint }),
      pathStyle:
        url.searchParams.get('pathStyle') === 'true' ||
        (endpoint !== undefined && url.searchParams.get('pathStyle') !== 'false'),
    },
  }
}
