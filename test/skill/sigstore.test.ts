/** What Pawl signs is what others verify: @sigstore/bundle reads it, @sigstore/verify and plain arithmetic agree on it. */
import { createPublicKey } from 'node:crypto';
import { bundleFromJSON } from '@sigstore/bundle';
import { toSignedEntity, toTrustMaterial, Verifier } from '@sigstore/verify';
import { describe, expect, test } from 'vitest';
import { entriesOf, newKey, reporter, signed } from './signed.js';

const key = newKey();
const bundle = JSON.parse(
  new TextDecoder().decode((await signed(entriesOf(reporter), key)).at(-1)!.bytes),
) as {
  verificationMaterial: { publicKey: { hint: string } };
  dsseEnvelope: { payload: string; signatures: { sig: string }[] };
};

const nobodyElse = {
  mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
  tlogs: [],
  certificateAuthorities: [],
  ctlogs: [],
  timestampAuthorities: [],
};

function verify(of: unknown): void {
  const trust = toTrustMaterial(nobodyElse, (hint) => {
    expect(hint).toBe(key.publicKey.hint);
    return { publicKey: createPublicKey(key.publicKey.pem), validFor: () => true };
  });
  const verifier = new Verifier(trust, { tlogThreshold: 0, ctlogThreshold: 0, tsaThreshold: 0 });
  verifier.verify(toSignedEntity(bundleFromJSON(of)));
}

describe('[S003.interoperable] a signature of Pawl', () => {
  test('is verified by @sigstore/verify', () => {
    expect(() => verify(bundle)).not.toThrow();
  });

  test('and a changed one is refused by it', () => {
    const changed = structuredClone(bundle);
    const payload = Buffer.from(changed.dsseEnvelope.payload, 'base64').toString();
    changed.dsseEnvelope.payload = Buffer.from(payload.replace('report-writer', 'report-reader')).toString(
      'base64',
    );
    expect(() => verify(changed)).toThrow();
  });

  test('holds a statement of OpenSSF Model Signing 1.0', () => {
    const statement = JSON.parse(Buffer.from(bundle.dsseEnvelope.payload, 'base64').toString()) as object;
    expect(statement).toMatchObject({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [
        { name: 'report-writer', digest: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/u) as string } },
      ],
      predicateType: 'https://model_signing/signature/v1.0',
      predicate: {
        serialization: { method: 'files', hash_type: 'sha256', allow_symlinks: false },
        resources: [
          { name: 'SKILL.md' },
          { name: 'pawl-skill.json' },
          { name: 'reference/how.md' },
          { name: 'scripts/metric.sh' },
          { name: 'scripts/note.sh' },
        ],
      },
    });
  });
});
