import { describe, expect, test } from 'vitest';
import { fakeEntropy, fakeTool } from '../../../../test/fake-policy.js';
import { mintHandle } from './mint.js';
import { NameBook, opaqueName, readableName } from './name.js';

describe('[P.names.readable] a readable name', () => {
  test('is server__tool', () => {
    expect(readableName(fakeTool('files/read_file'))).toBe('files__read_file');
    expect(readableName(fakeTool('my-files/Read-File'))).toBe('my-files__Read-File');
  });

  test.each(['files/read.file', 'files/read/file', 'files/a/b.c'])(
    'of %s is rewritten and then has a hash',
    (tool) => {
      expect(readableName(fakeTool(tool))).toMatch(/^files__[a-z_]+_[a-z2-7]{6}$/u);
    },
  );

  test('tells apart what rewriting makes alike', () => {
    const names = ['files/read.file', 'files/read/file', 'files/read_file'].map((tool) =>
      readableName(fakeTool(tool)),
    );
    expect(new Set(names).size).toBe(3);
  });

  test('of 48 characters stays whole, a longer one keeps 41 and has a hash', () => {
    const whole = `s__${'t'.repeat(45)}`;
    expect(readableName(fakeTool(`s/${'t'.repeat(45)}`))).toBe(whole);
    const cut = readableName(fakeTool(`s/${'t'.repeat(46)}`));
    expect(cut).toMatch(/^s__t{38}_[a-z2-7]{6}$/u);
    expect(cut).toHaveLength(48);
  });

  test('is the same in every run', () => {
    expect(readableName(fakeTool('files/read.file'))).toBe('files__read_file_cddqae');
  });
});

test('[P.names.readable] an opaque name is the bare 26 characters of the handle', () => {
  expect(opaqueName(mintHandle(fakeEntropy()))).toMatch(/^[a-z2-7]{26}$/u);
});

describe('a book of names', () => {
  const twin = fakeTool('files/read.file');
  const squatter = fakeTool(`files/${readableName(twin).slice('files__'.length)}`);

  test('leaves a name that needs no hash to its tool and hashes the other again', () => {
    const book = new NameBook();
    book.enter([twin, squatter]);
    expect(book.nameOf(squatter)).toBe(readableName(twin));
    expect(book.nameOf(twin)).toMatch(/^files__read_file_[a-z2-7]{6}$/u);
    expect(book.nameOf(twin)).not.toBe(book.nameOf(squatter));
  });

  test('never passes a name on to another tool', () => {
    const book = new NameBook();
    book.enter([twin]);
    const before = book.nameOf(twin);
    book.enter([squatter]);
    expect(book.nameOf(twin)).toBe(before);
    expect(book.nameOf(squatter)).not.toBe(before);
  });

  test('knows no name of a tool that was not entered', () => {
    expect(new NameBook().nameOf(twin)).toBeUndefined();
  });
});
