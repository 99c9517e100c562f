import { openKnowledgeStores } from '../src/knowledge-stores.ts'
import { systemClock } from '../src/lib/clock.ts'
import { rmSync, mkdirSync } from 'node:fs'
const dir='/tmp/rvbig'; rmSync(dir,{recursive:true,force:true}); mkdirSync(dir)
const s = await openKnowledgeStores({ dataFolder: dir, clock: systemClock, log: console as never })
const {db,catalogue,jobs}=s
db.exec('PRAGMA synchronous=OFF')
const T=(n:string,f:()=>unknown)=>{const a=performance.now();f();const b=performance.now();f();console.log(n,(b-a).toFixed(1),(performance.now()-b).toFixed(1))}
db.transaction(()=>{
 const prov=JSON.stringify({chosen:{title:'document'},said:{document:{title:'x'.repeat(200),author:'y'.repeat(50)}}})
 const ins=db.sql(`INSERT INTO documents (hash,kind,filename,title,author,edition,year,provenance,source,source_id,category,url,size_bytes,domain,taxonomy,status,page_count,item_count,vector_count,simhash,text_hash,created_at,changed_at,completed_at) VALUES (?,?,?,?,?,'','',?,?,?,?,null,1000,?,1,?,1,3,3,?,?,?,?,?)`)
 const h=db.sql('INSERT INTO document_hashes VALUES (?,?)')
 for(let i=1;i<=100000;i++){const hash=i.toString(16).padStart(64,'0');ins.run(hash,'wiki',`A/Article_${i}`,`Article number ${i} about something`, 'Some Author',prov,'library',i%5,'Wikipedia','Medical',i%1000===0?'failed':'complete',(BigInt(i)*2654435761n%(1n<<60n)).toString(16).padStart(16,'0'),hash,Date.now()-i*1000,Date.now()-i*1000,Date.now()-i*1000);h.run(hash,i)}
})
db.transaction(()=>{ const it=db.sql("INSERT INTO items (document_id,window,ordinal,origin,first_page,last_page,title,summary,content,details) VALUES (?,0,?,'extract',1,1,'t','',?,'{}')"); const pg=db.sql("INSERT INTO pages VALUES (?,1,?,'text',null)"); const c='word '.repeat(200); for(let i=1;i<=100000;i++){pg.run(i,c);for(let k=0;k<3;k++)it.run(i,k,c)} })
T('counts',()=>catalogue.counts()); T('totals',()=>catalogue.totals()); T('review',()=>catalogue.countReview()); T('categories',()=>catalogue.categories()); T('throughput',()=>catalogue.throughput())
T('list',()=>catalogue.list({limit:100})); T('list q',()=>catalogue.list({limit:100,text:'zzz'})); T('list badge',()=>catalogue.list({limit:100,badge:'PDF'})); T('list domain',()=>catalogue.list({limit:100,domain:'Shelter'})); T('list cat',()=>catalogue.list({limit:100,category:'nope'})); T('list failed',()=>catalogue.list({limit:50,status:'failed'}))
T('countsBySource',()=>catalogue.countsBySource(3))
T('retryAll',()=>catalogue.retryAll())
T('similar',()=>catalogue.similar('ffffffffffffffff','zz')); T('sameWork',()=>catalogue.sameWork({title:'Article number 5 about something',author:'Some Author',edition:'',year:''}))
T('jobs.counts',()=>jobs.counts()); T('nextDue',()=>jobs.nextDue()); T('list running',()=>jobs.list({state:'running',limit:50}))
// big book
const t0=performance.now()
const id=catalogue.add({hash:'f'.repeat(64),kind:'pdf',filename:'b.pdf',title:'b',author:'',edition:'',year:'',source:'folder',category:'',sizeBytes:1,status:'queued'} as never)
db.exec('PRAGMA synchronous=FULL')
const pages=Array.from({length:5000},(_,n)=>({number:n+1,text:'word '.repeat(500),method:'text',startSeconds:null}))
T('write 5000 pages',()=>catalogue.transaction(()=>{ (catalogue as any).replacePages?.(id,pages) ?? (catalogue as any).writePages?.(id,pages) }))
db.transaction(()=>{ const it=db.sql("INSERT INTO items (document_id,window,ordinal,origin,first_page,last_page,title,summary,content,details) VALUES (?,0,?,'extract',1,1,'t','',?,'{}')");for(let k=0;k<15000;k++)it.run(id,k,'word '.repeat(200)) })
const a=performance.now(); catalogue.removeRows(id); console.log('removeRows', (performance.now()-a).toFixed(0))
