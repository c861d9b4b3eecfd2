/** The operator's mail server. */
import { createTransport } from 'nodemailer'
import type { SendMail } from '../notify/mail.ts'

/** Milliseconds; a server that says nothing must not keep a message taken for longer than that. */
const TIMEOUT = 15_000

/** `url`: `smtp://` (STARTTLS where offered) or `smtps://`, with user and password where the server wants them. */
export const mailSender = (url: string, from: string): SendMail => {
  const transport = createTransport(
    {
      url,
      connectionTimeout: TIMEOUT,
      greetingTimeout: TIMEOUT,
      socketTimeout: TIMEOUT,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from },
  )
  return async (mail) => {
    await transport.sendMail({ ...mail, headers: { 'Auto-Submitted': 'auto-generated' } })
  }
}
