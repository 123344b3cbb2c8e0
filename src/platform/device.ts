// What kind of device a browser runs on, as far as its user agent string tells. Good enough for metadata, not for decisions.

import type { Platform } from '../port.ts'

/** In this order: an Android's string names Linux, too, and an iPhone's Mac OS X. */
const SYSTEMS: [name: string, pattern: RegExp][] = [
  ['Android', /Android ([\d.]+)/],
  ['iOS', /iP(?:hone|ad|od).*? OS ([\d_]+)/],
  ['Windows', /Windows NT ([\d.]+)/],
  ['macOS', /Mac OS X ([\d_.]+)/],
  ['ChromeOS', /CrOS \S+ ([\d.]+)/],
  ['Linux', /Linux()/],
]

export function userAgentDevice(): Pick<Platform, 'device'> {
  return {
    device() {
      const agent = navigator.userAgent
      const [osName, pattern] = SYSTEMS.find(([, each]) => each.test(agent)) || ['unknown', /()/]
      const [, version = ''] = pattern.exec(agent) || []
      const isTablet = /iPad|Tablet/.test(agent) || (osName === 'Android' && !/Mobile/.test(agent))
      const isPhone = /Mobi|iPhone|iPod/.test(agent)
      return { deviceType: isTablet ? 'tablet' : isPhone ? 'phone' : 'desktop', osName, osVersion: version.replace(/_/g, '.') }
    },
  }
}
