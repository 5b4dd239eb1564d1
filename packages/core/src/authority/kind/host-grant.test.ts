import { describe, expect, test } from 'vitest';
import { UsageError } from '../../ground/index.js';
import { hostGrant } from './host-grant.js';

describe('what host patterns grant to whoever connects', () => {
  const grant = hostGrant(['api.example', '**.cdn.example', '10.1.0.0/16']);
  test.each([
    'api.example',
    'API.Example.',
    'a.cdn.example',
    'a.b.cdn.example',
    '10.1.2.3',
    '0xA010203',
    '::ffff:10.1.2.3',
  ])('%s may be called', (host) => expect(grant.called(host)).toBe(true));
  test.each([
    'example',
    'x.api.example',
    'cdn.example',
    '8.8.8.8',
    '10.2.0.1',
    '127.0.0.1',
    'localhost',
    '',
    'a b',
    'api.example:80',
  ])('%j may not be called', (host) => expect(grant.called(host)).toBe(false));
  test.each(['8.8.8.8', '2606:4700::1111', '10.1.255.255', '64:ff9b::808:808', '::ffff:8.8.8.8'])(
    '%s may be dialled',
    (address) => expect(grant.dialled(address)).toBe(true),
  );
  test.each([
    '127.0.0.1',
    '127.9.9.9',
    '0.0.0.0',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::',
    '10.2.0.1',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    'fd00:ec2::254',
    'fe80::1',
    'fc00::1',
    'ff02::1',
    '224.0.0.1',
    '255.255.255.255',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    'api.example',
    '',
  ])('%j may not be dialled', (address) => expect(grant.dialled(address)).toBe(false));

  test('an address that is named may be dialled and called, and no other of its kind', () => {
    const local = hostGrant(['127.0.0.1']);
    expect([local.called('127.0.0.1'), local.dialled('127.0.0.1'), local.dialled('127.0.0.2')]).toEqual([
      true,
      true,
      false,
    ]);
    expect(local.called('localhost')).toBe(false);
  });

  test('a pattern for any name calls no address', () => {
    expect(hostGrant(['**']).called('8.8.8.8')).toBe(false);
    expect(hostGrant(['**', 'public']).called('8.8.8.8')).toBe(true);
  });

  test.each([[[]], [['a*b']], [['http://x']], [['']]])('%j is a mistake of the program', (patterns) => {
    expect(() => hostGrant(patterns)).toThrow(UsageError);
  });
});
