/** Content of others in frames and scripts. */
import { html, script } from '../page.ts'
import type { Hosts } from './hosts.ts'

const frame = (name: string) => html(`<!doctype html><title>${name}</title><p>${name}</p>`)

export const EMBEDS: Hosts = {
  'www.youtube.com': {
    '*': {
      ...frame('Video'),
      headers: [
        ['Set-Cookie', 'YSC=a1B2c3D4e5F; Path=/; Domain=.youtube.com; Secure; HttpOnly; SameSite=None'],
        [
          'Set-Cookie',
          'VISITOR_INFO1_LIVE=Zx9YwV8uT7s; Max-Age=15552000; Path=/; Domain=.youtube.com; Secure; HttpOnly; SameSite=None',
        ],
      ],
    },
  },
  'www.youtube-nocookie.com': { '*': frame('Video') },
  'player.vimeo.com': { '*': frame('Video') },
  'www.google.com': {
    '/recaptcha/api.js': script('window.grecaptcha = {}'),
    '/maps/embed': frame('Map'),
    '*': frame('Google'),
  },
  'maps.googleapis.com': { '*': script('window.google = { maps: {} }') },
  'platform.twitter.com': { '/widgets.js': script('window.twttr = {}'), '*': frame('Post') },
}
