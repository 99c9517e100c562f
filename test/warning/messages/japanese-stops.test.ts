import t from 'tap'
import { withJapaneseStops } from '../../../src/warning/messages/japanese-stops.ts'

/** Full stops of a text in Japanese: docs/decisions/0048. */

const said = (text: string): string => withJapaneseStops(text, 6)

t.test('a Japanese sentence has its own full stop, whatever letters it ends in', async (t) => {
  t.equal(said('火災 Ainslie Creek 695ha. 18:21現在. 延焼中'), '火災 Ainslie Creek 695ha。18:21現在。延焼中')
  t.equal(said('地震 M4.7 インドネシア, 深さ65km, 14:18. GDACS'), '地震 M4.7 インドネシア, 深さ65km, 14:18。GDACS')
  t.equal(said('継続: Dixie/Gilchrist Co FL. NWS'), '継続: Dixie/Gilchrist Co FL。NWS')
  t.equal(said('竜巻警報解除 (18:21). 継続'), '竜巻警報解除 (18:21)。継続')
})

t.test(
  'a name keeps its point, prose of a source keeps its own, and a text without Japanese is left alone',
  async (t) => {
    t.equal(said('火山 Mt. Fuji 噴火. Mt. Adams'), '火山 Mt. Fuji 噴火。Mt. Adams')
    t.equal(
      said('警報: Take cover now, move to a basement. Stay there. 終'),
      '警報: Take cover now, move to a basement. Stay there. 終'
    )
    t.equal(
      said('GREEN DROUGHT Australia (01:17). Minor impact. GDACS'),
      'GREEN DROUGHT Australia (01:17). Minor impact. GDACS'
    )
  }
)

t.test('no more than there is room for', async (t) => {
  t.equal(withJapaneseStops('一. 二. 三. 四', 2), '一。二。三. 四')
})
