'use strict';
const { PassThrough } = require('node:stream');
const { ZipFile } = require('yazl');

/** archiver's compression. All entries have one date, 1980-01-01, so that equal rows make equal files. */
const options = { compressionLevel: 1, mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** The stream of a ZIP file, with the methods that exceljs's WorkbookWriter calls. */
module.exports = function archiver() {
  const zip = new ZipFile();
  const stream = zip.outputStream;
  zip.on('error', (error) => stream.destroy(error));
  return Object.assign(stream, {
    append(content, { name }) {
      const path = name.replace(/^\/+/, '');
      if (typeof content === 'string') zip.addBuffer(Buffer.from(content), path, options);
      // A worksheet keeps what it is given until it is piped, and stops waiting for the disk.
      else zip.addReadStream(pipe(content), path, options);
    },
    finalize() {
      zip.end();
    },
  });
};

function pipe(content) {
  const through = new PassThrough();
  content.pipe(through);
  return through;
}
