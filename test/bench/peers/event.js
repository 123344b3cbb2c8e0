// The event that every row tracks: the payload of an Ad_Impression. With type, time and metadata its JSON has 233 bytes.

export const eventType = 'Ad_Impression'
export const userId = 'player-51f0'
export const sessionId = 's-77c3'
export const campaignId = 'c9'
export const metadata = { deviceType: 'phone', osName: 'Android', osVersion: '14' }

/** @param {string} id */
export const payloadOf = (id) => ({ userId, sessionId, adId: id, campaignId })

/** @param {string} id */
export const eventOf = (id) => ({ eventType, timestamp: new Date().toISOString(), payload: payloadOf(id), metadata })
