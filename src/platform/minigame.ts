// WeChat's and ByteDance's minigames, by their own calls: the window that an engine's adapter puts there is a stage set.

import { type Area, areaJournal, areaStorage } from './area.ts'
import type { HostParts } from './common.ts'
import { exchange, GRACE_MS, readHeaders } from './exchange.ts'

/** What we use of `wx` and of `tt`. */
interface MiniGame {
  request(options: {
    url: string
    method: string
    header: Record<string, string>
    data: string | undefined
    dataType: string
    redirect: string
    timeout: number
    success(reply: { statusCode: number; header?: Record<string, unknown>; data: unknown }): void
    fail(reason: { errMsg?: string }): void
  }): { abort?(): void } | undefined
  getStorageSync(key: string): string
  setStorageSync(key: string, text: string): void
  removeStorageSync(key: string): void
  getStorageInfoSync(): { keys: string[] }
  onHide?: Listening
  offHide?: Listening
  onShow?: Listening
  offShow?: Listening
  onNetworkStatusChange?: Listening
  offNetworkStatusChange?: Listening
  getDeviceInfo?(): DeviceInfo
  getSystemInfoSync(): DeviceInfo
}

type Listening = (run: (news?: { isConnected?: boolean }) => void) => void

interface DeviceInfo {
  platform?: string
  /** Such as `iOS 17.0.1`. */
  system?: string
  model?: string
}

declare const wx: MiniGame | undefined
declare const tt: MiniGame | undefined

/** A web page in WeChat's browser has a `wx`, too, that cannot send. */
export function minigamePlatform(): HostParts | undefined {
  const found = [typeof wx === 'object' && wx, typeof tt === 'object' && tt]
  const game = found.find((each): each is MiniGame => !!each && !!each.request && !!each.getStorageSync)
  if (!game) return
  const area: Area = {
    get: (key) => game.getStorageSync(key),
    set(key, text) {
      try {
        game.setStorageSync(key, text)
      } catch (cause) {
        const error = new Error(String((cause as { errMsg?: string }).errMsg || cause))
        if (/exceed|limit|max/i.test(error.message)) error.name = 'QuotaExceededError'
        throw error
      }
    },
    remove: (key) => game.removeStorageSync(key),
    keys: () => game.getStorageInfoSync().keys,
  }
  function listen(what: 'Hide' | 'Show' | 'NetworkStatusChange', run: Parameters<Listening>[0]): () => void {
    call(`on${what}`)
    return () => call(`off${what}`)
    function call(name: `${'on' | 'off'}${typeof what}`): void {
      if (game?.[name]) game[name](run)
    }
  }
  return {
    http: (request, onCancel) =>
      exchange(request, onCancel, (resolve, reject) => {
        const task = game.request({
          url: request.url,
          method: request.method,
          header: request.headers,
          data: request.body,
          redirect: 'manual', // where the platform can: the token goes to no other host
          dataType: 'text', // as JSON it would arrive parsed, and broken JSON as who knows what
          timeout: request.timeoutMs + GRACE_MS,
          success: ({ statusCode, header, data }) =>
            resolve({
              status: statusCode,
              headers: readHeaders(Object.entries(header || {})),
              body: typeof data === 'string' ? data : JSON.stringify(data),
            }),
          fail: ({ errMsg }) => reject(new Error(errMsg)),
        })
        return () => {
          if (task?.abort) task.abort()
        }
      }),
    storage: areaStorage(area),
    journal: areaJournal(area),
    onHide: (run) => listen('Hide', () => run(false)),
    onResume(run) {
      const stops = [listen('Show', () => run()), listen('NetworkStatusChange', (news) => news?.isConnected && run())]
      return () => {
        for (const stop of stops) stop()
      }
    },
    device() {
      const { platform = '', system = '', model = '' } = game.getDeviceInfo ? game.getDeviceInfo() : game.getSystemInfoSync()
      const [name, osVersion = ''] = system.split(' ')
      return {
        deviceType: /ipad/i.test(model) ? 'tablet' : /ios|android|harmony|ohos/i.test(platform) ? 'phone' : 'desktop',
        osName: name || platform,
        osVersion,
      }
    },
  }
}
