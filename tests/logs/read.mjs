// A run's MCAP as the format's own library reads it, and Foxglove's schemas as Foxglove has them.
//   node read.mjs RUN.mcap RUN.csv MODEL.urdf KILLED.mcap FAILED.mcap
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { McapIndexedReader, McapStreamReader } from '@mcap/core';

const require = createRequire(import.meta.url);
const Ajv = require('ajv');
const [runPath, csvPath, modelPath, killedPath, failedPath] = process.argv.slice(2);
const text = (bytes) => new TextDecoder().decode(bytes);
const seconds = (time) => Number(time) * 1e-9;

const readable = (bytes) => ({
  size: async () => BigInt(bytes.length),
  read: async (offset, size) => new Uint8Array(bytes.subarray(Number(offset), Number(offset + size))),
});

/**
 * All records in the order of the file, by their type; chunks are opened and their checksums compared.
 * Bytes come in parts, as from a network.
 */
function stream(bytes, part = 65536) {
  const reader = new McapStreamReader(); // compares checksums unless it is told not to
  const records = [];
  for (let at = 0; at < bytes.length; at += part) {
    reader.append(new Uint8Array(bytes.subarray(at, at + part)));
    for (let record; (record = reader.nextRecord());) records.push(record);
  }
  return { records, isDone: reader.done(), of: (type) => records.filter((record) => record.type === type) };
}

async function indexed(bytes) {
  const reader = await McapIndexedReader.Initialize({ readable: readable(bytes) });
  const messages = async (args) => {
    const list = [];
    for await (const message of reader.readMessages(args)) list.push(message);
    return list;
  };
  return { reader, messages };
}

/** Rows by their titles, read the simple way: none of ours has a comma in it. */
function table(path) {
  const [titles, ...rows] = readFileSync(path, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(row.map((cell, k) => [titles[k], Number(cell)])));
}

const isNear = (a, b) => Math.abs(a - b) <= 6e-9 * Math.abs(b) + 1e-300; // nine digits

const tests = {
  'the whole file streams': () => {
    const { isDone, of } = stream(run);
    assert(isDone);
    assert.equal(of('Header').length, 1);
    assert.equal(of('Footer').length, 1);
    assert.deepEqual([...new Set(of('Channel').map(({ topic }) => topic))].sort(), [
      '/contacts',
      '/energy',
      '/scene',
      '/state',
      '/tf',
    ]);
    assert(of('Channel').every(({ messageEncoding }) => messageEncoding === 'json'));
    assert(of('Schema').every(({ encoding }) => encoding === 'jsonschema'));
  },

  'both readers and the statistics agree': async () => {
    const { of } = stream(run, 1000);
    const { reader, messages } = await indexed(run);
    const [direct, sorted] = [of('Message'), await messages()];
    assert.equal(sorted.length, direct.length);
    assert.equal(reader.statistics.messageCount, BigInt(direct.length));
    assert.deepEqual(
      sorted.map(({ channelId, logTime }) => [channelId, logTime]).sort(),
      direct.map(({ channelId, logTime }) => [channelId, logTime]).sort(),
    );
    for (const [id, count] of reader.statistics.channelMessageCounts)
      assert.equal(BigInt(direct.filter(({ channelId }) => channelId === id).length), count);
    assert.equal(reader.statistics.chunkCount, reader.chunkIndexes.length);
    assert(reader.chunkIndexes.length > 1);
    assert.equal(reader.statistics.messageStartTime, 0n);
    assert.equal(reader.statistics.messageEndTime, direct.at(-1).logTime);
  },

  'messages are found by time and topic': async () => {
    const { of } = stream(run);
    const { reader, messages } = await indexed(run);
    const id = [...reader.channelsById.values()].find(({ topic }) => topic === '/energy').id;
    const [startTime, endTime] = [200000000n, 300000000n];
    const wanted = of('Message').filter(
      ({ channelId, logTime }) => channelId === id && logTime >= startTime && logTime <= endTime,
    );
    const found = await messages({ topics: ['/energy'], startTime, endTime });
    assert.equal(wanted.length, 51); // every 2 ms, both ends
    assert.deepEqual(found.map(({ data }) => text(data)), wanted.map(({ data }) => text(data)));
    const back = await messages({ topics: ['/energy'], startTime, endTime, reverse: true });
    assert.deepEqual(back.map(({ logTime }) => logTime), found.map(({ logTime }) => logTime).reverse());
  },

  'numbers and times are those of the CSV': async () => {
    const rows = table(csvPath);
    const { messages } = await indexed(run);
    for (const [topic, compare] of Object.entries({
      '/state': (message, row) => {
        for (const [kind, values] of [
          ['q', message.q],
          ['v', message.v],
        ])
          for (const [name, value] of Object.entries(values)) {
            const title = Object.keys(row).find((key) => key.startsWith(`${kind}.${name} [`));
            assert(isNear(value, row[title]), `${title}: ${value}, not ${row[title]}`);
          }
        assert.equal(Object.keys(message.q).length, 19);
        assert.equal(Object.keys(message.v).length, 18);
      },
      '/energy': (message, row) =>
        assert(isNear(message.total, row['energy [J]']) && isNear(message.kinetic, row['kinetic [J]'])),
      '/contacts': (message, row) => {
        assert.equal(message.count, row['contacts [1]']);
        assert.equal(message.contacts.length, message.count);
        assert(isNear(message.forces.FL_FOOT.z, row['force.FL_FOOT.z [N]']));
      },
    })) {
      const list = await messages({ topics: [topic] });
      assert.equal(list.length, rows.length);
      list.forEach((message, k) => {
        assert(Math.abs(seconds(message.logTime) - rows[k]['time [s]']) < 1e-9);
        compare(JSON.parse(text(message.data)), rows[k]);
      });
    }
  },

  'files and words beside the messages': async () => {
    const { reader } = await indexed(run);
    const files = [], words = {};
    for await (const file of reader.readAttachments()) files.push(file); // compares checksums
    for await (const { name, metadata } of reader.readMetadata()) words[name] = Object.fromEntries(metadata);
    const model = files.find(({ name }) => name.endsWith('solo12.urdf'));
    assert.equal(text(model.data), readFileSync(modelPath, 'utf8'));
    // with its changes
    assert.match(text(files.find(({ name }) => name.endsWith('.yaml')).data), /position: \[0, 0, 0.3\]/);
    assert.equal(words.run.stepper, 'expo');
    assert.equal(Number(words.run.dt), 0.002);
    assert.equal(words.end.outcome, 'finished');
    assert.equal(Number(words.end.time), seconds(reader.statistics.messageEndTime));
  },

  'a failed run says so': async () => {
    const { reader } = await indexed(readFileSync(failedPath));
    const words = {};
    for await (const { name, metadata } of reader.readMetadata()) words[name] = Object.fromEntries(metadata);
    assert.equal(words.end.outcome, 'failed');
    assert.match(words.end.reason, /with 'euler'/);
  },

  'messages are as their schemas say': () => {
    const { of } = stream(run);
    const ajv = new Ajv({ strict: false });
    const checks = new Map(of('Schema').map(({ id, data }) => [id, ajv.compile(JSON.parse(text(data)))]));
    const channels = new Map(of('Channel').map(({ id, schemaId }) => [id, checks.get(schemaId)]));
    for (const { channelId, data } of of('Message')) {
      const check = channels.get(channelId);
      assert(check(JSON.parse(text(data))), JSON.stringify(check.errors));
    }
  },

  'pictures are as Foxglove wants them': () => {
    const { of } = stream(run);
    const ajv = new Ajv({ strict: false });
    for (const [topic, name] of [['/tf', 'FrameTransforms'], ['/scene', 'SceneUpdate']]) {
      const theirs = whole(
        JSON.parse(readFileSync(require.resolve(`@foxglove/schemas/schemas/jsonschema/${name}.json`), 'utf8')),
      );
      const check = ajv.compile(theirs);
      const { id, schemaId } = of('Channel').find((channel) => channel.topic === topic);
      const schema = of('Schema').find((one) => one.id === schemaId);
      assert.equal(schema.name, `foxglove.${name}`);
      isPart(JSON.parse(text(schema.data)), theirs, name);
      const messages = of('Message').filter(({ channelId }) => channelId === id);
      assert(messages.length > 20);
      for (const { data } of messages) assert(check(JSON.parse(text(data))), JSON.stringify(check.errors));
    }
  },

  'a wrong byte is noticed': async () => {
    const { reader } = await indexed(run);
    const bad = Uint8Array.from(run);
    bad[Number(reader.chunkIndexes[1].chunkStartOffset) + 200] ^= 1;
    assert.throws(() => stream(bad), /CRC/i);
    const other = await indexed(bad);
    await assert.rejects(other.messages(), /CRC/i);
  },

  'what a killed run left can be read': async () => {
    const killed = readFileSync(killedPath);
    const { isDone, of } = stream(killed);
    assert(!isDone);
    assert.equal(of('Footer').length, 0);
    const times = of('Message').map(({ logTime }) => seconds(logTime));
    assert(times.length > 100, `${times.length} messages`);
    assert(times.every((time, k) => k === 0 || time >= times[k - 1]));
    assert(!of('Metadata').some(({ name }) => name === 'end'));
    await assert.rejects(indexed(killed)); // there is no index: it must be streamed, or mended first
    const { reader } = await indexed(run);
    // within a chunk: those before it are there
    const torn = stream(run.subarray(0, Number(reader.chunkIndexes[1].chunkStartOffset) + 1000));
    assert(!torn.isDone && torn.of('Message').length > 0);
    assert.equal(torn.of('Message').at(-1).logTime, reader.chunkIndexes[0].messageEndTime);
  },
};

/** A schema of theirs lists what there may be; here nothing else may be there, and all of it must. */
function whole(schema) {
  if (schema.type === 'array') return { ...schema, items: whole(schema.items) };
  if (schema.type !== 'object' || !schema.properties) return schema;
  const properties = Object.fromEntries(Object.entries(schema.properties).map(([key, value]) => [key, whole(value)]));
  return { ...schema, properties, required: Object.keys(properties), additionalProperties: false };
}

/** What our schema says, theirs says too. */
function isPart(ours, theirs, path) {
  assert(theirs, `${path} is not theirs`);
  assert.equal(
    ours.type,
    theirs.type ?? (theirs.oneOf.every((one) => Number.isInteger(one.const)) ? 'integer' : undefined),
    path,
  );
  if (ours.type === 'array') isPart(ours.items, theirs.items, `${path}[]`);
  for (const [key, value] of Object.entries(ours.properties ?? {}))
    isPart(value, theirs.properties[key], `${path}.${key}`);
}

const run = readFileSync(runPath);
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  try {
    await test();
    console.log(`ok    ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`WRONG ${name}: ${error.stack}`);
  }
}
process.exit(failed > 0 ? 1 : 0);
