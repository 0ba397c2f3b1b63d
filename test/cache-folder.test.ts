import { cacheFolder } from '../src/cache-folder.ts';

describe('cacheFolder', () => {
  it.each([
    [{ XDG_CACHE_HOME: '/var/cache', HOME: '/home/x' }, '/var/cache/prospect-sync'],
    [{ HOME: '/home/x' }, '/home/x/.cache/prospect-sync'],
    [{ XDG_CACHE_HOME: 'relative', HOME: '/home/x' }, '/home/x/.cache/prospect-sync'],
    [{ XDG_CACHE_HOME: '', HOME: '/home/x' }, '/home/x/.cache/prospect-sync'],
  ])('of %j is %s', (env, folder) => {
    expect(cacheFolder(env)).toBe(folder);
  });
});
