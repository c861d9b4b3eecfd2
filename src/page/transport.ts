/** What libraries send to carry messages, beside what a site's own programs are asked. */

/**
 * Whether a library carries messages by this address, over plain requests or a WebSocket: its parameters are the protocol's, a connection's
 * last for a moment, and no program of the site reads them (Engine.IO protocol, SockJS protocol).
 */
export const carriesMessages = ({ pathname, searchParams }: URL): boolean =>
  (searchParams.has('EIO') && searchParams.has('transport')) ||
  /\/\d{3}\/[a-z0-5]{8}\/(?:xhr|xhr_send|xhr_streaming|eventsource|jsonp|jsonp_send|htmlfile|websocket)$/.test(pathname)
