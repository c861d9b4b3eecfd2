/** The origin of a site that is none (RFC 2606, 2), for requests as its pages would send them. */
export const ANOTHER_SITE = 'https://another-site.invalid'
