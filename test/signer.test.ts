import { describe, expect, it } from 'vitest'
import { developmentSigner, isPrivateHost } from '../src/signer.ts'
import { fakePlatform } from './fake.ts'
import { vectors } from './vectors/signatures.json' with { type: 'json' }

const [example] = vectors as [(typeof vectors)[number]]

describe('developmentSigner', () => {
  it('signs where there is no page', async () => {
    const signer = developmentSigner({ secret: example.secret })
    expect(await signer(example, fakePlatform())).toEqual({ timestamp: example.timestamp, signature: example.signature })
  })

  it('signs on a page of the machine itself', async () => {
    const signed = await developmentSigner({ secret: example.secret })(example, fakePlatform({ pageHost: 'localhost' }))
    expect(signed.signature).toBe(example.signature)
  })

  it('refuses a public page before any request, and says what to do', async () => {
    const platform = fakePlatform({ pageHost: 'game.example.com' })
    const refusal = developmentSigner({ secret: example.secret })(example, platform)
    await expect(refusal).rejects.toMatchObject({ code: 'config', message: expect.stringContaining('Sign on your server') })
    await expect(refusal).rejects.not.toMatchObject({ message: expect.stringContaining(example.secret) })
    expect(platform.requests).toEqual([])
  })

  it('signs on a public page when told that only you can open it', async () => {
    const platform = fakePlatform({ pageHost: 'game.example.com' })
    const signed = await developmentSigner({ secret: example.secret, anywhere: true })(example, platform)
    expect(signed.signature).toBe(example.signature)
  })

  it('wants a secret', () => {
    expect(() => developmentSigner({ secret: '' })).toThrow(expect.objectContaining({ code: 'config' }))
  })
})

describe('isPrivateHost', () => {
  it.each([
    '',
    'localhost',
    'game.localhost',
    'mac.local',
    '127.0.0.1',
    '127.8.9.1',
    '10.1.2.3',
    '192.168.0.7',
    '172.16.0.1',
    '172.31.9.9',
    '[::1]',
    '[fd00::1]',
  ])('%s is', (host) => expect(isPrivateHost(host)).toBe(true))
  it.each([
    'example.com',
    'localhost.example.com',
    '127.0.0.1.example.com',
    '11.0.0.1',
    '172.32.0.1',
    '192.169.0.1',
    '10.example.com',
    '[2001:db8::1]',
    'local',
  ])('%s is not', (host) => expect(isPrivateHost(host)).toBe(false))
})
