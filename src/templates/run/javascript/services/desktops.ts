/** RDP and VNC: their first exchange. */
import { rdp, vnc } from '../../../../protocols/services/desktops.ts'
import { type Ask, type ModuleShape, proved } from './asking.ts'

const isRdp: Ask = async (talk) => {
  await proved(rdp, talk, 'RDP')
  return { IsRDP: true, OS: '' }
}

const rdpAuth: Ask = async (talk) => {
  const { info } = await proved(rdp, talk, 'RDP')
  return { Auth: info === 'network level authentication required', PluginInfo: null }
}

const isVnc: Ask = async (talk) => {
  const { info } = await proved(vnc, talk, 'VNC')
  return { IsVNC: true, Banner: info ?? '' }
}

export const DESKTOPS: readonly ModuleShape[] = [
  { name: 'rdp', client: 'RDPClient', asks: { IsRDP: isRdp, CheckRDPAuth: rdpAuth } },
  { name: 'vnc', client: 'VNCClient', asks: { IsVNC: isVnc }, signsIn: ['Connect'] },
]
